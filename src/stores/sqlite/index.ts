/**
 * Runs, reviews, gaps, verdicts, answers, lessons, decisions and attempts in a database that can be asked in SQL. Node only.
 *
 * @module
 */
export type { SqliteRow } from './database.js';
export type { SqliteDriver, SqliteStatement, SqliteValue } from './driver.js';
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite-store.js';
