/**
 * A store in a SQLite database, which you can query in SQL: runs, reviews, gaps, verdicts, answers,
 * lessons, decisions and attempts. Node only.
 *
 * @module
 */
export type { SqliteDriver, SqliteRow, SqliteStatement, SqliteValue } from './driver.js';
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite-store.js';
