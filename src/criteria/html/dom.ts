import type { DefaultTreeAdapterTypes } from 'parse5';

/** An element of a parsed page. */
export type Element = DefaultTreeAdapterTypes.Element;
/** A node below a parent. */
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/** One HTML artifact, parsed. */
export interface Page {
  readonly file: string;
  readonly source: string;
  /** In document order, without the content of `<template>`. */
  readonly elements: readonly Element[];
  readonly byId: ReadonlyMap<string, readonly Element[]>;
  /** The 1-based line of an offset in the source. */
  readonly lineAt: (offset: number) => number;
  /** Whether it is a whole document. */
  readonly isDocument: boolean;
  /** The end of the doctype, if there is one. */
  readonly doctypeEnd: number | undefined;
  /** The facts from the page's own styles by element. */
  readonly styles: ReadonlyMap<Element, StyleFact>;
  /** The elements that styles rotate with the orientation of the device. */
  readonly turns: ReadonlyMap<Element, Turns>;
  /** Offsets of repeated attributes, which browsers ignore. */
  readonly repeatedAttributes: readonly number[];
  /** The pages of `<iframe srcdoc>` by element. */
  readonly framed: ReadonlyMap<Element, Page>;
}

/**
 * The facts about one element from the `<style>` elements of its page, as far as simple selectors
 * decide.
 */
export interface StyleFact {
  readonly display?: string | undefined;
  readonly visibility?: string | undefined;
  /** Whether a rule gives it text through `::before` or `::after`. */
  readonly generated?: boolean | undefined;
}

/**
 * The rotation of an element in each orientation of the device, in degrees; undefined if it is
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

/** Returns the parent element, if there is one. */
export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent ? parent : undefined;
}

/** Returns the direct text of an element, such as a script or a style. */
export function rawText(element: Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}
