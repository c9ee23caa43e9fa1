import { createRequire } from 'node:module';
import { peerMissing } from '../../../core/load-peer.js';
import { isCallable } from '../../../core/options.js';

/** Drivers truncate texts at a NUL character. */
export type SqliteValue = string | number | null;

/**
 * A prepared statement, as in better-sqlite3, libsql and node:sqlite. Its members are methods,
 * because the drivers declare narrower parameter types. Its parameters are wide enough for the
 * declarations of each; only a {@link SqliteValue} is passed.
 */
export interface SqliteStatement {
  run(...values: (NonNullable<unknown> | null)[]): { readonly changes: number | bigint };
  /** Runs the statement and returns its rows, by the names of their columns. */
  all(...values: (NonNullable<unknown> | null)[]): unknown[];
}

/**
 * An open connection: a `Database` of libsql or better-sqlite3, or a `DatabaseSync` of node:sqlite.
 */
export interface SqliteDriver {
  /** Runs statements. */
  readonly exec: (sql: string) => unknown;
  /** Prepares one statement. */
  readonly prepare: (sql: string) => SqliteStatement;
  /** Closes the connection. */
  readonly close: () => unknown;
}

export type SqliteRow = Readonly<Record<string, SqliteValue>>;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Its texts are read as bytes, because libsql ends the process at one that is not UTF-8. Bytes that
 * are none become replacement characters, as in other drivers.
 */
export function prepareQuery(
  driver: SqliteDriver,
  sql: string,
): (...values: SqliteValue[]) => readonly SqliteRow[] {
  const plain = driver.prepare(sql);
  const names = /^\W*explain\b/i.test(sql) ? [] : columnNames(plain);
  const cells = names.map(
    (name, at) =>
      `iif(typeof(c${at}) = 'text', CAST(c${at} AS BLOB), c${at}) AS "${name.replaceAll('"', '""')}"`,
  );
  const asBytes =
    cells.length === 0
      ? plain
      : driver.prepare(
          `WITH found(${cells.map((_, at) => `c${at}`).join()}) AS (${sql.replace(/(?<![;\s])[;\s]+$/, '')}\n)
           SELECT ${cells.join()} FROM found`,
        );
  return (...values) =>
    asBytes.all(...values).map((row) => {
      const texts = Object.entries(row ?? {}).map(([name, value]) => [
        name,
        value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? decoder.decode(value) : value,
      ]);
      return Object.fromEntries(texts) as SqliteRow;
    });
}

function columnNames(statement: SqliteStatement): string[] {
  const columns: unknown = 'columns' in statement ? statement.columns : undefined;
  const found: unknown = typeof columns === 'function' ? columns.call(statement) : [];
  return Array.isArray(found) ? found.map(({ name }: { name: string }) => name) : [];
}

export type OpenDriver = (file: string) => SqliteDriver;

type DatabaseClass = new (file: string) => SqliteDriver;

export function isDriver(value: unknown): value is SqliteDriver {
  return ['exec', 'prepare', 'close'].every((name) => isCallable(value, name));
}

/** They are tried in this order. */
const candidates = ['libsql', 'better-sqlite3', 'node:sqlite'] as const;

/** The first installed package opens the files. */
export async function findDriver(
  load: (name: string) => unknown = loadModule,
): Promise<OpenDriver> {
  const causes: unknown[] = [];
  for (const name of candidates) {
    try {
      const loaded: unknown = await load(name);
      const Database = databaseIn(loaded);
      if (Database !== undefined) return (file) => new Database(file);
      causes.push(new Error(`${name} exports no database class`));
    } catch (error) {
      causes.push(error);
    }
  }
  throw peerMissing(
    {
      feature: 'a store in SQLite',
      packages: ['libsql'],
      otherwise: 'the package better-sqlite3, or Node.js 22.13 or newer with node:sqlite',
    },
    ...causes,
  );
}

function loadModule(name: string): unknown {
  // a computed name, because bundlers must not follow these optional packages
  return createRequire(import.meta.url)(name);
}

function databaseIn(loaded: unknown): DatabaseClass | undefined {
  const found =
    typeof loaded === 'object' && loaded !== null && 'DatabaseSync' in loaded
      ? loaded.DatabaseSync
      : loaded;
  return isClass(found) ? found : undefined;
}

function isClass(value: unknown): value is DatabaseClass {
  return typeof value === 'function';
}

export function transaction<Value>(
  driver: SqliteDriver,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: () => Value,
): Value {
  driver.exec(begin);
  try {
    const value = work();
    driver.exec('COMMIT');
    return value;
  } catch (error) {
    try {
      driver.exec('ROLLBACK');
    } catch {
      // the first error may have rolled it back already, and is the one to report
    }
    throw error;
  }
}

/**
 * Makes a checkpoint of the write-ahead log first. A driver may keep the file open until its
 * statements are collected. Without the checkpoint, it would write the log then, over a newer file.
 */
export function closeDriver(driver: SqliteDriver | undefined): void {
  try {
    driver?.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // the next connection reads the log
  }
  driver?.close();
}
