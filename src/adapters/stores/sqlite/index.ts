/**
 * A store in a SQLite database, which you can query in SQL: runs, reviews, gaps, verdicts, answers,
 * lessons, decisions and attempts. Node only.
 *
 * @module
 */

export type { SqliteDriver } from './driver.js';
export { type SqliteStore, sqliteStore } from './sqlite-store.js';
