import { sanitise } from '../terminal/sanitise.js';

/** A row for a database: values by the names of their columns. */
export type TableRow = Readonly<Record<string, string | number | null>>;

/** Returns a text of a model without what controls a terminal. Rows are printed by any program. */
export function shownText(text: string): string;
export function shownText(text: string | undefined): string | null;
export function shownText(text: string | undefined): string | null {
  return plainText(text === undefined ? undefined : sanitise(text));
}

/**
 * Replaces NUL characters, at which drivers truncate, and unpaired surrogates, which are not UTF-8.
 */
export function plainText(text: string): string;
export function plainText(text: string | undefined): string | null;
export function plainText(text: string | undefined): string | null {
  return text === undefined
    ? null
    : text.replaceAll('\u0000', '\ufffd').replace(/\p{Cs}/gu, '\ufffd');
}
