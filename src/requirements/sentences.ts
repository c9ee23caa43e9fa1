/** A sentence of a paragraph; lines are counted from the paragraph's first line, which is 0. */
export interface Sentence {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|no|fig|sec|incl|mr|mrs|ms|dr|st)\.$/i;
const dangling =
  /\b(?:a|an|the|and|or|of|to|in|on|at|by|for|with|from|as|is|are|be|that|which|must|should|shall|not|its|their)$|[,;:(]$/i;
const shortest = 60;
/** Scripts that are wrapped anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The sentences of a paragraph given as its trimmed lines. A line end also ends a sentence where it was typed on purpose:
 * where the next word would still have fitted in the line.
 */
export function sentencesOf(lines: readonly string[]): Sentence[] {
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), shortest);
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
    if (next === undefined || endsSentence(line, next) || endedOnPurpose(line, next, width))
      close(index);
  }
  return sentences;
}

function splitLine(line: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const found of line.matchAll(/[.!?。][)"'”’\]*_]{0,3}(?=\s)/g)) {
    const end = found.index + found[0].length;
    const next = nextVisible(line, end);
    if (
      !/[\p{Lu}\p{N}\p{Lo}`"'“([*_]/u.test(next) ||
      abbreviation.test(line.slice(Math.max(start, found.index - 10), found.index + 1))
    )
      continue;
    pieces.push(line.slice(start, end).trim());
    start = end;
  }
  pieces.push(line.slice(start).trim());
  return pieces;
}

function nextVisible(line: string, from: number): string {
  return /\S/.exec(line.slice(from, from + 20))?.[0] ?? '';
}

/** A colon ends none where the next line goes on in small letters. */
function endsSentence(line: string, next: string): boolean {
  return (
    /\p{Ll}/u.test(next.charAt(0)) ? /[.!?。][)"'”’\]*_]{0,3}$/ : /[.!?。:][)"'”’\]*_]{0,3}$/
  ).test(line.slice(-5));
}

function endedOnPurpose(line: string, next: string, width: number): boolean {
  if (line.length > 30 && unspaced.test(line.slice(-1)) && unspaced.test(next.charAt(0)))
    return false;
  if (!/^[\p{Lu}\p{N}\p{Lo}`"'“([*_]/u.test(next) || dangling.test(line.slice(-20))) return false;
  const word = /^\S{0,100}/.exec(next)?.[0].length ?? 0;
  return line.length + 1 + word <= width;
}
