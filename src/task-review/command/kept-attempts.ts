import { join } from 'node:path';
import { databaseOf } from '../../cli-kit/kept-runs.js';
import { fileAttempts } from '../../stores/file/index.js';
import { sqliteStore } from '../../stores/sqlite/index.js';
import type { AttemptStore } from '../attempt-store.js';

/** Where the attempts of a store are: in files, or in the table of its database. */
export function keptAttempts(folder: string): AttemptStore {
  const database = databaseOf(folder);
  return database === undefined
    ? fileAttempts(join(folder, 'attempts'))
    : sqliteStore(database).attempts;
}
