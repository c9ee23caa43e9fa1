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

interface LineEdit {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/**
 * The shortest list, by the algorithm of Myers. Beyond `most` edits the texts are shown as wholly
 * different. A library would be a tenth of the page.
 */
export function lineEdits(a: readonly string[], b: readonly string[], most: number): LineEdit[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let left = a.length;
  let right = b.length;
  while (left > start && right > start && a[left - 1] === b[right - 1]) {
    left -= 1;
    right -= 1;
  }
  const same = (text: string): LineEdit => edit('same', [text], 1);
  const middle = shortest(a.slice(start, left), b.slice(start, right), most);
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(left).map(same)];
}

function shortest(a: readonly string[], b: readonly string[], most: number): LineEdit[] {
  // how far each diagonal reaches, one row for each number of edits
  const reached: Record<number, number>[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    const before = reached.at(-1) ?? { 1: 0 };
    const row: Record<number, number> = {};
    reached.push(row);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(before, diagonal);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      row[diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return pathOf(reached, a, b);
    }
  }
  return [
    ...a.map((_, index) => edit('removed', a, index + 1)),
    ...b.map((_, index) => edit('added', b, index + 1)),
  ];
}

function startOf(before: Readonly<Record<number, number>>, diagonal: number): number {
  const down = before[diagonal + 1] ?? -1;
  const across = (before[diagonal - 1] ?? -2) + 1;
  return Math.max(down, across);
}

function pathOf(
  reached: readonly Readonly<Record<number, number>>[],
  a: readonly string[],
  b: readonly string[],
): LineEdit[] {
  const path: LineEdit[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = reached.length - 1; edits > 0; edits -= 1) {
    const before = reached[edits - 1] ?? {};
    const from = startOf(before, x - y);
    const isDown = from === before[x - y + 1];
    for (; x > from; x -= 1, y -= 1) path.push(edit('same', a, x));
    if (isDown) path.push(edit('added', b, y--));
    else path.push(edit('removed', a, x--));
  }
  for (; x > 0; x -= 1) path.push(edit('same', a, x));
  return path.reverse();
}

function edit(kind: LineEdit['kind'], lines: readonly string[], number: number): LineEdit {
  return { kind, text: lines[number - 1] ?? '' };
}
