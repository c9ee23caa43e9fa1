import { lineEdits } from './line-edits.js';

/** A line has its number in the version that has it. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Beyond this many different lines the two texts are shown as wholly different. */
const mostEdits = 2000;

export function diffLines(left: string, right: string): DiffLine[] {
  let before = 0;
  let after = 0;
  return lineEdits(linesOf(left), linesOf(right), mostEdits).map(({ kind, text }) => ({
    kind,
    text,
    ...(kind !== 'added' && { before: ++before }),
    ...(kind !== 'removed' && { after: ++after }),
  }));
}

const context = 1;

/** The lines near a change or a note; other lines become the number of them. */
export function foldedLines(
  lines: readonly DiffLine[],
  isNoted: (line: DiffLine) => boolean,
): (DiffLine | number)[] {
  const near = new Set<number>();
  lines.forEach((line, index) => {
    if (line.kind === 'same' && !isNoted(line)) return;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  });
  const shown: (DiffLine | number)[] = [];
  lines.forEach((line, index) => {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(line);
    else if (typeof last === 'number') shown[shown.length - 1] = last + 1;
    else shown.push(1);
  });
  return shown;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
