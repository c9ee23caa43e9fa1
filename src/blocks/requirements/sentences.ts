/** The first line of the paragraph is line 0. */
export interface Sentence {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

const sentenceEnd = /[.!?。？！][)"'”’\]*_]{0,3}(?=\s|$)|。/g;
/** Matches what ends with a full stop inside a sentence: an abbreviation, an initial, or an ordinal. */
const goesOn =
  /(?:^|[\s(„“"])(?:e\.\s?g|i\.\s?e|etc|cf|vs|approx|no|fig|incl|mr|mrs|ms|dr|prof|st|ca|z\.\s?b|d\.\s?h|u\.\s?a|bzw|ggf|usw|inkl|evtl|nr|abs|p\.\s?ex|art|\p{Lu}|\d{1,3})\.$/iu;
const sentenceStart = /^\s*(?:[\p{Lu}\p{N}\p{Lo}`"'“„«([*_¿¡-]|$)/u;
/** Matches an ordinal before a word that German writes with a capital: "im 6. Monat". */
const ordinal = /(?:^|\s)\d{1,2}\.$/;

/**
 * Returns the sentences of a paragraph, given as its trimmed lines. A line that ends without a full
 * stop goes on, unless the next one begins with a capital, and the line is short.
 */
export function sentencesOf(lines: readonly string[]): Sentence[] {
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 60);
  const sentences: Sentence[] = [];
  let parts: string[] = [];
  let from = 0;
  const close = (line: number): void => {
    const text = parts.join(' ').trim();
    if (text !== '') sentences.push({ text, line: from, endLine: line });
    parts = [];
  };
  for (const [index, line] of lines.entries()) {
    for (const { text, ends } of piecesOf(line)) {
      if (parts.length === 0) from = index;
      parts.push(text);
      if (ends) close(index);
    }
    const next = lines[index + 1];
    if (next === undefined || endsBefore(line, next, width)) close(index);
  }
  return sentences;
}

function piecesOf(line: string): { readonly text: string; readonly ends: boolean }[] {
  const pieces: { text: string; ends: boolean }[] = [];
  let start = 0;
  const inCode = codeCounter(line);
  for (const found of line.matchAll(sentenceEnd)) {
    const end = found.index + found[0].length;
    const before = line.slice(Math.max(start, found.index - 10), found.index + 1);
    if (inCode(found.index) || isInside(before, line.slice(end, end + 20))) continue;
    pieces.push({ text: line.slice(start, end).trim(), ends: true });
    start = end;
  }
  const rest = line.slice(start).trim();
  if (rest !== '') pieces.push({ text: rest, ends: false });
  return pieces;
}

/** Returns whether a full stop is inside a sentence, given the text before and after it. */
function isInside(before: string, after: string): boolean {
  if (!before.endsWith('.')) return false;
  if (!sentenceStart.test(after)) return true;
  return goesOn.test(before) && !(after.trim() === '' && ordinal.test(before));
}

/** Places in the line come in their order. */
function codeCounter(line: string): (at: number) => boolean {
  let [ticks, counted] = [0, 0];
  return (at) => {
    for (; counted < at; counted += 1) if (line[counted] === '`') ticks += 1;
    return ticks % 2 === 1;
  };
}

/** Returns whether a line end ends a sentence: the next word would have fitted into the line. */
function endsBefore(line: string, next: string, width: number): boolean {
  if (line.endsWith(':')) return true;
  if (!/^\s*[\p{Lu}\p{N}\p{Lo}`"“„([*]/u.test(next) || /[,(&/–-]$/.test(line)) return false;
  const word = /^\S{0,100}/.exec(next)?.[0].length ?? 0;
  return line.length + 1 + word <= width;
}
