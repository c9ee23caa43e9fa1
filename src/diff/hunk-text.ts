import type { DiffFile, DiffHunk } from './diff-source.js';

/** Returns the lines of a hunk as git prints them. */
export function hunkText({ header, lines }: DiffHunk): string {
  return `${[header, ...lines].join('\n')}\n`;
}

/** Returns the diff of one file as git prints it, without lone surrogates. */
export function fileText({ header, hunks }: DiffFile): string {
  return wellFormed(`${header}${hunks.map(hunkText).join('')}`);
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Returns whether a text has no lone surrogates. */
export function isWellFormed(text: string): boolean {
  return text.search(loneSurrogate) === -1;
}

/** Returns a text with its lone surrogates replaced. */
export function wellFormed(text: string): string {
  return text.replace(loneSurrogate, '\ufffd');
}

const encoder = new TextEncoder();

/** Returns the number of bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
