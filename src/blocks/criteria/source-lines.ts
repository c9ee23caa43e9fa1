import { cutAroundSecrets } from '../../core/redact/secrets.js';

export interface SourceLines {
  /** Returns the line of an offset, from 1. */
  readonly lineAt: (offset: number) => number;
  /**
   * Returns a quote for a finding: the trimmed line of an offset, or, in a long line, the text from
   * the offset on.
   */
  readonly quoteAt: (offset: number, end?: number) => string;
}

const longestQuote = 200;

/** How far a quote is searched for secrets, in characters. */
const mostSearched = 5000;

export function sourceLines(source: string): SourceLines {
  const starts = [0];
  for (const { index } of source.matchAll(/\r\n|\n|\r/g))
    starts.push(index + (source.startsWith('\r\n', index) ? 2 : 1));
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  return {
    lineAt,
    quoteAt: (offset, end) => {
      const line = lineAt(offset);
      const text = source.slice(starts[line - 1] ?? 0, starts[line] ?? source.length);
      const trimmed = text.length <= 2 * longestQuote ? text.trim() : '';
      if (trimmed !== '' && trimmed.length <= longestQuote) return trimmed;
      const shown = source.slice(offset, Math.min(end ?? source.length, offset + mostSearched));
      return wholeCharacters(cutAroundSecrets(shown, longestQuote)).trim();
    },
  };
}

function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** Returns a text with blank ranges, which are given in their order, at the same length. */
export function blanked(
  text: string,
  ranges: Iterable<{ readonly start: number; readonly end: number }>,
): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), ' '.repeat(end - start));
    at = end;
  }
  return parts.join('') + text.slice(at);
}
