import type { Tables } from './database.js';
import type { SqliteRow } from './driver.js';

/** Inserts a row: values by the names of their columns. */
export function insertRow(tables: Tables, table: string, row: SqliteRow): void {
  tables.run(`INSERT INTO ${table} ${columnsOf(row)}`, ...Object.values(row));
}

/** Inserts a row, and replaces the row with the same primary key. */
export function replaceRow(tables: Tables, table: string, row: SqliteRow): void {
  tables.run(`INSERT OR REPLACE INTO ${table} ${columnsOf(row)}`, ...Object.values(row));
}

function columnsOf(row: SqliteRow): string {
  const names = Object.keys(row);
  return `(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
