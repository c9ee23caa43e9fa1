import { cut, widthOf } from './table.js';

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
