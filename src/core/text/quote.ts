export interface QuotePlace {
  /** 1-based. */
  readonly line: number;
  /** The index in the text, 0-based. */
  readonly offset: number;
  /** The text at that place; white space may differ from the quote. */
  readonly evidence: string;
}

/** White space may differ. */
export function placeOfQuote(quote: string, text: string, from = 0): QuotePlace | undefined {
  if (quote.trim() === '') return undefined;
  const direct = text.indexOf(quote, from);
  const [offset, evidence] = direct >= 0 ? [direct, quote] : folded(quote, text, from);
  return offset < 0
    ? undefined
    : { line: text.slice(0, offset).split('\n').length, offset, evidence };
}

function folded(quote: string, text: string, from: number): readonly [number, string] {
  const words = quote.trim().split(/\s+/);
  const pattern = new RegExp(
    words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+'),
    'gu',
  );
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match === null ? [-1, ''] : [match.index, match[0]];
}
