import widthIn from 'fast-string-width';
import { oneLine } from './sanitise.js';

export interface TableOptions {
  /** Columns of the terminal; `undefined` for lines of any length. */
  readonly columns: number | undefined;
  /**
   * Largest width of all cells except the last, in columns.
   *
   * @default 60, at most a third of `columns`
   */
  readonly widest?: number;
}

/** The last cell takes the rest of the line. All cells are sanitised. */
export function tableOf(
  rows: readonly (readonly string[])[],
  { columns, widest = Math.min(60, Math.floor((columns ?? 180) / 3)) }: TableOptions,
): string[] {
  const cells = rows.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries())
      widths[index] = Math.min(widest, Math.max(widths[index] ?? 0, widthOf(cell)));
  }
  return cells.map((row) => {
    const last = row.length - 1;
    const head = row
      .slice(0, last)
      .map((cell, index) => pad(keepEnd(cell, widths[index] ?? 0), widths[index] ?? 0));
    const line = [...head, row[last] ?? ''].join('  ').trimEnd();
    return columns === undefined ? line : cut(line, columns);
  });
}

function keepEnd(cell: string, columns: number): string {
  if (widthOf(cell) <= columns) return cell;
  let tail = '';
  let width = 1;
  for (const character of graphemes(cell).reverse()) {
    width += widthOf(character);
    if (width > columns) break;
    tail = character + tail;
  }
  return columns > 0 ? `…${tail}` : '';
}

/** Made on first use: it takes longer than all else that a command does before it works. */
let segmenter: Intl.Segmenter | undefined;

/** As people see them: a letter with its accents, an emoji with its parts. */
function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

export function widthOf(text: string): number {
  return widthIn(text);
}

/** An ellipsis shows the cut. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let head = '';
  let width = 0;
  for (const character of graphemes(text)) {
    width += widthOf(character);
    if (width > columns - 1) break;
    head += character;
  }
  return columns > 0 ? `${head}…` : '';
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** Returns a sanitised text as lines of at most so many columns, broken between words. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const longer = line === undefined ? word : `${line} ${word}`;
    if (line !== undefined && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(cut(word, columns));
  }
  return lines;
}
