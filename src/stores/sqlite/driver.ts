import { createRequire } from 'node:module';
import { peerMissing } from '../../core/load-peer.js';

/** What is bound to a statement. Never texts with a NUL, which drivers cut off. */
export type SqliteValue = string | number | null;

/** A prepared statement, as better-sqlite3, libsql and node:sqlite have it. Methods, because the types of libsql say no more of the values than that they may be some of these. */
export interface SqliteStatement {
  /** Runs it. */
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
  /** Runs it, and gives its rows by the names of their columns. */
  all(...values: SqliteValue[]): unknown[];
}

/** An open connection to a database: a `Database` of libsql or better-sqlite3, or a `DatabaseSync` of node:sqlite. */
export interface SqliteDriver {
  /** Runs statements. */
  readonly exec: (sql: string) => unknown;
  /** Prepares one statement. */
  readonly prepare: (sql: string) => SqliteStatement;
  /** Closes the connection. */
  readonly close: () => unknown;
}

/** Opens a file with one of the packages. */
export type OpenDriver = (file: string) => SqliteDriver;

type DatabaseClass = new (file: string) => SqliteDriver;

/** Whether a value can be used as a connection. */
export function isDriver(value: unknown): value is SqliteDriver {
  if (typeof value !== 'object' || value === null) return false;
  return ['exec', 'prepare', 'close'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  );
}

/** The names of what is looked for, in this order. */
const candidates = ['libsql', 'better-sqlite3', 'node:sqlite'] as const;

/**
 * The first package that is installed.
 *
 * @param load - Loads a module by its name.
 * @throws ReviewLoopError `peer_missing`
 */
export async function findDriver(
  load: (name: string) => unknown = loadModule,
): Promise<OpenDriver> {
  const causes: unknown[] = [];
  for (const name of candidates) {
    try {
      const loaded: unknown = await load(name);
      const Database = databaseIn(loaded);
      if (Database !== undefined) return (file) => new Database(file);
      causes.push(new Error(`${name} has no class of databases`));
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
  // by a name that no bundler follows: each of them is optional, and none is a module of ECMAScript only
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
