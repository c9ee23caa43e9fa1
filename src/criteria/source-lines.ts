/** A text that knows its lines. */
export interface SourceLines {
  /** The 1-based line of an offset. */
  readonly lineAt: (offset: number) => number;
  /** The trimmed line of an offset where it is short, else what begins at the offset: a quote for a finding. */
  readonly quoteAt: (offset: number, end?: number) => string;
}

const longestQuote = 200;

/** Looks up lines in a text by bisection. */
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
      return wholeCharacters(
        source.slice(offset, Math.min(end ?? source.length, offset + longestQuote)),
      ).trim();
    },
  };
}

/** Without half a character at the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
