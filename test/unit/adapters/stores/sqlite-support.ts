import { join } from 'node:path';
import Libsql from 'libsql';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import type { SqliteStoreOptions } from '@/adapters/stores/sqlite/sqlite-store.js';
import { emptyDirectory } from './file-support.js';

/** Where a new database can be made. */
export function newFile(): string {
  return join(emptyDirectory(), 'runs.db');
}

/** A store of its own, and a second connection to its file that knows nothing of it. */
export function storeWithRaw(options: SqliteStoreOptions = {}) {
  const file = newFile();
  return {
    file,
    store: sqliteStore(file, options),
    raw: (sql: string, ...values: (string | number)[]): unknown[] => rawly(file, sql, values),
  };
}

export function rawly(
  file: string,
  sql: string,
  values: readonly (string | number)[] = [],
): unknown[] {
  const database = new Libsql(file);
  try {
    return database.prepare(sql).all([...values]);
  } finally {
    database.close();
  }
}

export function execute(file: string, sql: string): void {
  const database = new Libsql(file);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
