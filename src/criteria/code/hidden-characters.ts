import type { Found } from '../artifact-criterion.js';
import { foundAt, type TextFile } from '../files/file-rule.js';

/**
 * Finds characters that reverse the direction of text. They make code look different from what
 * runs.
 */
export function bidiControls(file: TextFile): Found[] {
  return onEachLine(file, /[\u202a-\u202e\u2066-\u2069]/g, (character) => ({
    description: `a character reverses the direction of the code: ${codePoint(character)}`,
    suggestedFix: 'Remove it, or write it as an escape',
  }));
}

/** Finds null bytes. */
export function nullBytes(file: TextFile): Found[] {
  return onEachLine(file, /\0/g, () => ({
    description: 'the file contains a null byte',
    suggestedFix: 'Remove it; check how the file was written',
  })).slice(0, 1);
}

function onEachLine(
  file: TextFile,
  pattern: RegExp,
  about: (character: string) => { readonly description: string; readonly suggestedFix: string },
): Found[] {
  const lines = new Set<number>();
  return Array.from(file.source.matchAll(pattern), ({ 0: character, index }) => ({
    character,
    start: index,
  })).flatMap(({ character, start }) => {
    const line = file.lineAt(start);
    if (lines.has(line)) return [];
    lines.add(line);
    return [foundAt(file, { start, end: start + 1 }, about(character))];
  });
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
