import { lineEdits } from './line-edits.js';

/** One line of one version. */
export interface DiffLine {
  readonly number: number;
  readonly text: string;
}

/** One row of two versions side by side; a side is missing where the other has more lines. */
export interface DiffRow {
  readonly changed: boolean;
  readonly left?: DiffLine | undefined;
  readonly right?: DiffLine | undefined;
}

/** Beyond this many different lines the two texts are shown as wholly different. */
const mostEdits = 2000;

/** Returns the lines of two texts, side by side. */
export function diffRows(left: string, right: string): DiffRow[] {
  const rows: DiffRow[] = [];
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  const flush = () => {
    const count = Math.max(removed.length, added.length);
    for (let at = 0; at < count; at += 1)
      rows.push({ changed: true, left: removed[at], right: added[at] });
    removed.length = 0;
    added.length = 0;
  };
  let atLeft = 0;
  let atRight = 0;
  for (const { kind, text } of lineEdits(linesOf(left), linesOf(right), mostEdits)) {
    if (kind === 'removed') removed.push({ number: ++atLeft, text });
    else if (kind === 'added') added.push({ number: ++atRight, text });
    else {
      flush();
      rows.push({
        changed: false,
        left: { number: ++atLeft, text },
        right: { number: ++atRight, text },
      });
    }
  }
  flush();
  return rows;
}

const context = 3;

/** Returns the rows near a change or a note; each run of other rows becomes one fold. */
export function foldedRows(
  rows: readonly DiffRow[],
  isNoted: (row: DiffRow) => boolean,
): (DiffRow | 'fold')[] {
  const near = new Set<number>();
  rows.forEach((row, index) => {
    if (!row.changed && !isNoted(row)) return;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  });
  const shown: (DiffRow | 'fold')[] = [];
  rows.forEach((row, index) => {
    if (near.has(index)) shown.push(row);
    else if (shown.at(-1) !== 'fold') shown.push('fold');
  });
  return shown;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
