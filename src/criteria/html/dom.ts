import type { DefaultTreeAdapterTypes } from 'parse5';

/** An element of a parsed page. */
export type Element = DefaultTreeAdapterTypes.Element;
/** A node below a parent. */
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/** One HTML artifact, parsed. */
export interface Page {
  readonly file: string;
  readonly source: string;
  /** The elements in document order, without the content of `<template>`. */
  readonly elements: readonly Element[];
  readonly byId: ReadonlyMap<string, readonly Element[]>;
  /** Returns the line of an offset in the source, from 1. */
  readonly lineAt: (offset: number) => number;
  /** Whether the page is a whole document. */
  readonly isDocument: boolean;
  /** The offset of the end of the doctype, if any. */
  readonly doctypeEnd: number | undefined;
  /** The facts by element from the page's own styles. */
  readonly styles: ReadonlyMap<Element, StyleFact>;
  /** Offsets of repeated attributes, which browsers ignore. */
  readonly repeatedAttributes: readonly number[];
  /** The pages of `<iframe srcdoc>` by element. */
  readonly framed: ReadonlyMap<Element, Page>;
}

/**
 * The facts about one element from the `<style>` elements of its page. Only simple selectors count.
 */
export interface StyleFact {
  readonly display?: string | undefined;
  readonly visibility?: string | undefined;
  /** Whether a rule adds text through `::before` or `::after`. */
  readonly generated?: boolean | undefined;
}

/** Returns the value of an attribute. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent ? parent : undefined;
}

/** Returns things by their keys. Those without a key are left out. */
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

/** Returns whether an element is one of HTML, not of a drawing or a formula. */
export function isOfHtml({ namespaceURI }: Element): boolean {
  return namespaceURI === 'http://www.w3.org/1999/xhtml';
}

/** Returns the words of a text. */
export function setOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Returns the ancestors of an element, the nearest first. */
export function* ancestorsOf(element: Element): Generator<Element> {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) yield above;
}

/** Returns the nearest ancestor that passes a test. */
export function closest(element: Element, test: (above: Element) => boolean): Element | undefined {
  for (const above of ancestorsOf(element)) if (test(above)) return above;
  return undefined;
}

/** Returns the children of a node that are elements. */
export function childrenOf({ childNodes }: Pick<Element, 'childNodes'>): Element[] {
  return childNodes.filter((node): node is Element => 'tagName' in node);
}

/** Returns an attribute as one keyword: `type`, `scope`, `aria-hidden`. '' without it. */
export function keyword(element: Element, name: string): string {
  return attribute(element, name)?.trim().toLowerCase() ?? '';
}

/** Returns the words of an attribute, such as ids; at most 50. */
export function wordsIn(element: Element, name: string): string[] {
  const value = attribute(element, name);
  return value === undefined ? [] : value.split(/\s+/, 50).filter((word) => word !== '');
}

/** Returns the elements below a node, in their order. */
export function* descendantsOf(root: Pick<Element, 'childNodes'>): Generator<Element> {
  const waiting = childrenOf(root).reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    // one by one: an element may have too many children for the arguments of a call
    for (const child of childrenOf(node).reverse()) waiting.push(child);
  }
}

/** Returns whether an attribute contains more than white space. */
export function isFilled(element: Element, name: string): boolean {
  return (attribute(element, name) ?? '').trim() !== '';
}

/** Returns the direct text of an element, such as a script or a style. */
export function rawText(element: Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

/** Returns the text of an element, unless other elements interrupt it. */
export function ownText(element: Element): string | undefined {
  return element.childNodes.some((node) => 'tagName' in node) ? undefined : rawText(element);
}

/** Returns all text below a node, in its order. */
export function textOf(node: ChildNode): string {
  if ('value' in node) return node.value;
  return 'tagName' in node ? node.childNodes.map(textOf).join('') : '';
}
