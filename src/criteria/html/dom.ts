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
  /** The rotations of elements that depend on the orientation of the device. */
  readonly turns: ReadonlyMap<Element, Turns>;
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

/**
 * The rotation of an element in each orientation of the device, in degrees. `undefined` if it is
 * unknown.
 */
export interface Turns {
  readonly portrait: number | undefined;
  readonly landscape: number | undefined;
}

/** Returns the value of an attribute. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent ? parent : undefined;
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
