import type { SqliteDriver } from './driver.js';

/**
 * Closes a connection, after what the log of changes holds was moved into the file itself. A driver may go on holding the file until its
 * statements are collected, and would do that only then, over whatever stands there.
 */
export function letGo(driver: SqliteDriver | undefined): void {
  try {
    driver?.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // it stays in the log, where the next connection finds it
  }
  driver?.close();
}
