import { invalid } from '../../../core/options.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import type { Clock } from '../../../ports/clock.js';

export type TableValue = string | number | null;

/**
 * A database, for the tables that SQLite and PostgreSQL have in common. Statements are written for
 * PostgreSQL: `$1` is the first value, and `$1::int` also says its type.
 */
export interface TableDatabase {
  readonly name: string;
  readonly schema: string;
  readonly clock: Clock;
  readonly ask: (
    sql: string,
    values?: readonly TableValue[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly change: (sql: string, values?: readonly TableValue[]) => Promise<number>;
}

export const noLimit = 2_147_483_647;

/** `conflict` says what becomes of a row with the same key. */
export async function putRow(
  database: TableDatabase,
  table: string,
  row: TableRow,
  conflict = '',
): Promise<void> {
  const names = Object.keys(row);
  await database.change(
    `INSERT INTO ${database.schema}.${table} (${names.join(', ')})
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) ${conflict}`,
    Object.values(row),
  );
}

export function checkValues(values: readonly unknown[]): void {
  const isText = (value: unknown): boolean =>
    typeof value === 'string' && !value.includes('\u0000');
  // some drivers crash the process on other values
  for (const value of values)
    if (!(value === null || Number.isFinite(value) || isText(value)))
      throw invalid('values', 'strings without NUL, finite numbers and null', value);
}

export type TableRow = Readonly<Record<string, string | number | null>>;

/** Drops what controls a terminal: rows are printed by any program. */
export function shownText(text: string): string;
export function shownText(text: string | undefined): string | null;
export function shownText(text: string | undefined): string | null {
  return plainText(text === undefined ? undefined : sanitise(text));
}

/**
 * Replaces NUL characters, at which drivers truncate, and unpaired surrogates, which are not UTF-8.
 */
export function plainText(text: string): string;
export function plainText(text: string | undefined): string | null;
export function plainText(text: string | undefined): string | null {
  return text === undefined
    ? null
    : text.replaceAll('\u0000', '\ufffd').replace(/\p{Cs}/gu, '\ufffd');
}
