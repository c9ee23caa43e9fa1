import type { DefaultTreeAdapterTypes } from 'parse5';

/** An element of a parsed page. */
export type Element = DefaultTreeAdapterTypes.Element;
/** A node below a parent. */
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/** One HTML artifact, parsed. */
export interface Page {
  readonly file: string;
  readonly source: string;
  /** In document order, without what stands inside `<template>`. */
  readonly elements: readonly Element[];
  readonly byId: ReadonlyMap<string, readonly Element[]>;
  /** The 1-based line of an offset in the source. */
  readonly lineAt: (offset: number) => number;
  /** A whole document, not a part of one. */
  readonly isDocument: boolean;
  /** Where the doctype ends, if there is one. */
  readonly doctypeEnd: number | undefined;
  /** What the page's own styles say of its elements. */
  readonly styles: ReadonlyMap<Element, StyleFact>;
  /** The elements that they turn by how the device is held. */
  readonly turns: ReadonlyMap<Element, Turns>;
  /** Where an attribute stands a second time in a tag, and is ignored. */
  readonly repeatedAttributes: readonly number[];
  /** By `<iframe srcdoc>`, the page that it holds. */
  readonly framed: ReadonlyMap<Element, Page>;
}

/** What the `<style>` elements of a page say of one element, as far as simple selectors tell. */
export interface StyleFact {
  readonly display?: string | undefined;
  readonly visibility?: string | undefined;
  /** Whether a rule gives it text through `::before` or `::after`. */
  readonly generated?: boolean | undefined;
}

/** By how many degrees styles turn an element while the device is held in one way or the other; undefined where that is not known. */
export interface Turns {
  readonly portrait: number | undefined;
  readonly landscape: number | undefined;
}

/** The value of an attribute. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

/** The element above, if there is one. */
export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent ? parent : undefined;
}

/** The text right inside of an element, as scripts and styles hold it. */
export function rawText(element: Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}
