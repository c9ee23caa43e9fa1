/** Lines and columns count from 1. */
export interface Region {
  readonly startLine: number;
  /** The last line, which belongs to the place. */
  readonly endLine: number;
  /** Where it begins and ends; `undefined` if the text of the lines is unknown. */
  readonly columns?: Columns | undefined;
}

/** An end is the column after the last character. */
export interface Columns {
  /** In UTF-16 code units. */
  readonly utf16: Span;
  /** In bytes of UTF-8. */
  readonly utf8: Span;
}

/** A start and an end; the end does not belong to it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Lines {
  readonly line: number;
  readonly endLine?: number | undefined;
  readonly quote?: string | undefined;
}

/**
 * Returns the place of lines in a text: the quote if it occurs in them, else whole lines. Lines end
 * with `\n` or `\r\n`.
 */
export function regionOf({ line, endLine = line, quote }: Lines, text?: string): Region {
  const startLine = line;
  const last = Math.max(line, endLine);
  const lines = text?.split(/\r?\n/);
  const first = lines?.[startLine - 1];
  const end = lines?.[last - 1];
  if (first === undefined || end === undefined) return { startLine, endLine: last };
  const quoted = last === startLine ? quotedIn(first, quote) : undefined;
  const [from, to] = quoted ?? [0, end.length];
  return {
    startLine,
    endLine: last,
    columns: {
      utf16: { start: from + 1, end: to + 1 },
      utf8: { start: bytesOf(first.slice(0, from)) + 1, end: bytesOf(end.slice(0, to)) + 1 },
    },
  };
}

function quotedIn(line: string, quote = ''): readonly [number, number] | undefined {
  const sought = quote.trim();
  if (sought === '') return undefined;
  const at = line.indexOf(sought);
  return at === -1 ? undefined : [at, at + sought.length];
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
