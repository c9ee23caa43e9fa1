/** Where a quote stands; white space may differ. The evidence is what stands there. */
export function placeOfQuote(quote: string, text: string): { readonly line: number; readonly evidence: string } | undefined {
  const direct = text.indexOf(quote);
  const [at, evidence] = direct >= 0 ? [direct, quote] : folded(quote, text);
  return at < 0 ? undefined : { line: text.slice(0, at).split('\n').length, evidence };
}

function folded(quote: string, text: string): readonly [number, string] {
  const words = quote.trim().split(/\s+/);
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+');
  const match = new RegExp(pattern, 'u').exec(text);
  return match === null ? [-1, ''] : [match.index, match[0]];
}
