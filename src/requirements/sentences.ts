/** A sentence of a paragraph. The first line of the paragraph is line 0. */
export interface Sentence {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|no|fig|incl|mr|mrs|ms|dr|prof|st|ca)\.$/i;
const sentenceEnd = /[.!?。][)"'”’\]*_]{0,3}(?=\s)/g;
const sentenceStart = /^\s*[\p{Lu}\p{N}\p{Lo}`"'“([*_]/u;
/** Matches the identifier or number of a sentence, which ends with a full stop: "FR-1." */
const number = /^[*_([]*(?:(?:[A-Z]{1,10}[-_ ]?)?\d{1,4}(?:\.\d{1,4}){0,3}|[A-Z])$/;
const shortestWidth = 60;
/** Matches the end of a line in the middle of a clause: "of the", "(see", "using,". */
const goesOnBelow =
  /(?:,|[-–—/&(]|\b(?:an?|the|this|that|these|those|its|their|our|your|of|to|in|on|at|by|for|from|with|into|and|or|but|as|than|is|are|be|must|shall|should|will|can|may|which|who|if|when|not))$/i;

/**
 * Returns the sentences of a paragraph, given as its trimmed lines. A line end also ends a sentence
 * if the next line begins like a sentence and its first word would have fitted into the line.
 */
export function sentencesOf(lines: readonly string[]): Sentence[] {
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), shortestWidth);
  const sentences: Sentence[] = [];
  let parts: string[] = [];
  let from = 0;
  const close = (line: number): void => {
    const text = parts.join(' ').trim();
    if (text !== '') sentences.push({ text, line: from, endLine: line });
    parts = [];
  };
  for (const [index, line] of lines.entries()) {
    const pieces = splitLine(line);
    for (const [at, piece] of pieces.entries()) {
      if (parts.length === 0) from = index;
      parts.push(piece);
      if (at < pieces.length - 1) close(index);
    }
    const next = lines[index + 1];
    if (next === undefined || endsAtLineEnd(line, next, width)) close(index);
  }
  return sentences;
}

function splitLine(line: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const found of line.matchAll(sentenceEnd)) {
    const end = found.index + found[0].length;
    const before = line.slice(Math.max(start, found.index - 10), found.index + 1);
    const goesOn = found[0].startsWith('.') && !sentenceStart.test(line.slice(end, end + 20));
    if (goesOn || abbreviation.test(before) || isInCode(line, found.index)) continue;
    if (start === 0 && number.test(line.slice(0, found.index))) continue;
    pieces.push(line.slice(start, end).trim());
    start = end;
  }
  pieces.push(line.slice(start).trim());
  return pieces;
}

function endsAtLineEnd(line: string, next: string, width: number): boolean {
  if (/[.!?。][)"'”’\]*_]{0,3}$/.test(line.slice(-5)) || /^\[[^\]]*\]$/.test(line)) return true;
  if (!sentenceStart.test(next) || goesOnBelow.test(line.slice(-12))) return false;
  if (isOpen(line)) return false;
  const word = /^\S{0,100}/.exec(next)?.[0].length ?? 0;
  return line.endsWith(':') || line.length + 1 + word <= width;
}

/** Returns whether a line opens a parenthesis that it does not close. */
function isOpen(line: string): boolean {
  return line.lastIndexOf('(') > line.lastIndexOf(')');
}

/** Returns whether a place in a line is in code: an odd number of marks is before it. */
function isInCode(line: string, at: number): boolean {
  const marks = (text: string): number => text.split('`').length - 1;
  return marks(line.slice(0, at)) % 2 === 1 && line.includes('`', at);
}
