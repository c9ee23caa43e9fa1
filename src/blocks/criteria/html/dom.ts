import type { DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;

export interface Page {
  readonly file: string;
  readonly source: string;
  /** The elements in document order, without the content of `<template>`. */
  readonly elements: readonly Element[];
  readonly byId: ReadonlyMap<string, readonly Element[]>;
  /** Returns the line of an offset in the source, from 1. */
  readonly lineAt: (offset: number) => number;
  readonly isDocument: boolean;
  readonly doctypeEnd: number | undefined;
  readonly styles: ReadonlyMap<Element, StyleFact>;
  /** Offsets of repeated attributes, which browsers ignore. */
  readonly repeatedAttributes: readonly number[];
  readonly framed: ReadonlyMap<Element, Page>;
}

/** From the `<style>` elements of the page. Only simple selectors count. */
export interface StyleFact {
  readonly display?: string | undefined;
  readonly visibility?: string | undefined;
  /** Whether a rule adds text through `::before` or `::after`. */
  readonly generated?: boolean | undefined;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent ? parent : undefined;
}

/** Leaves out things without a key. */
export function groupBy<Thing>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => string | undefined,
): Map<string, Thing[]> {
  const groups = new Map<string, Thing[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = key === undefined ? undefined : groups.get(key);
    if (group !== undefined) group.push(thing);
    else if (key !== undefined) groups.set(key, [thing]);
  }
  return groups;
}

export function isOfHtml({ namespaceURI }: Element): boolean {
  return namespaceURI === 'http://www.w3.org/1999/xhtml';
}

export function setOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

export function* ancestorsOf(element: Element): Generator<Element> {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) yield above;
}

export function closest(element: Element, test: (above: Element) => boolean): Element | undefined {
  for (const above of ancestorsOf(element)) if (test(above)) return above;
  return undefined;
}

export function childrenOf({ childNodes }: Pick<Element, 'childNodes'>): Element[] {
  return childNodes.filter((node): node is Element => 'tagName' in node);
}

/** Returns an attribute as one keyword: `type`, `scope`, `aria-hidden`. '' without it. */
export function keyword(element: Element, name: string): string {
  return attribute(element, name)?.trim().toLowerCase() ?? '';
}

/** Such as ids; at most 50. */
export function wordsIn(element: Element, name: string): string[] {
  const value = attribute(element, name);
  return value === undefined ? [] : value.split(/\s+/, 50).filter((word) => word !== '');
}

export function* descendantsOf(root: Pick<Element, 'childNodes'>): Generator<Element> {
  const waiting = childrenOf(root).reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    // one by one: an element may have too many children for the arguments of a call
    for (const child of childrenOf(node).reverse()) waiting.push(child);
  }
}

export function isFilled(element: Element, name: string): boolean {
  return (attribute(element, name) ?? '').trim() !== '';
}

export function rawText(element: Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

export function ownText(element: Element): string | undefined {
  return element.childNodes.some((node) => 'tagName' in node) ? undefined : rawText(element);
}

export function textOf(node: ChildNode): string {
  if ('value' in node) return node.value;
  return 'tagName' in node ? node.childNodes.map(textOf).join('') : '';
}
