import { oneLine } from '../../../node/terminal/sanitise.js';
import { tableOf } from '../../../node/terminal/table.js';
import type { Io } from '../io.js';

/** An agent gets each row as a plain line: it pays for every space. */
export function listing(
  { reader, outColumns: columns }: Pick<Io, 'reader' | 'outColumns'>,
  rows: readonly (readonly string[])[],
  headings?: readonly string[],
): string[] {
  if (reader === 'agent')
    return rows.map((cells) => oneLine(cells.filter((cell) => cell.trim() !== '').join(' ')));
  return tableOf(headings === undefined ? rows : [headings, ...rows], { columns });
}

export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(name: string, argv: readonly string[]): string {
  return ['reviewloop', name, ...argv.map(quoted)].join(' ');
}
