import { mountFolder, settleMounts } from '../node/mounted-folder.js';
import { systemClock } from '../ports/clock.js';
import { type PostgresStore, postgresStore } from '../stores/postgres/index.js';
import { PostgresDatabase } from '../stores/postgres/postgres-database.js';
import { reportFiles } from '../stores/postgres/report-files.js';
import { type SharedFolder, sharedIn, storeFolder } from './store-folder.js';

/** A shared store, open in this process. */
export interface OpenedStore {
  readonly store: PostgresStore;
  /** Its table of reports, and what copies need. */
  readonly database: PostgresDatabase;
  readonly close: () => Promise<void>;
}

/** How long a command waits at first for a database that does not answer, in milliseconds. */
const firstWaitMs = 5000;

/** The connections of a command to a database, for its runs and for the rest. */
const connections = { runs: 3, rest: 2 };

const opened = new Map<string, OpenedStore>();

/** Opens a shared store, once in a process. Nothing is asked before it is used. */
export function openShared({ address, folder }: SharedFolder): OpenedStore {
  const known = opened.get(folder);
  if (known !== undefined) return known;
  const store = postgresStore(address, {
    connections: connections.runs,
    worker: 'cli',
    lessons: { minReviews: 1 },
  });
  const database = databaseAt(address, 60_000);
  mountFolder(folder, reportFiles(database));
  const close = async (): Promise<void> => {
    opened.delete(folder);
    await Promise.all([store.close(), database.close()]);
  };
  const now = { store, database, close };
  opened.set(folder, now);
  return now;
}

/**
 * Checks that a shared store can be used, before a command does any work, and opens it.
 *
 * @returns What names the store from now on, without its password.
 * @throws ReviewLoopError `usage`, `invalid_options`, `peer_missing`, `store_busy`,
 *   `store_unavailable`, `store_foreign`, `journal_newer`
 */
export async function prepareShared(store: string): Promise<string> {
  const shared = sharedIn(storeFolder(store));
  // the variable names a folder or a file of this machine
  if (shared === undefined) return store;
  const database = databaseAt(shared.address, firstWaitMs);
  try {
    await database.migrate();
  } finally {
    await database.close();
  }
  openShared(shared);
  return shared.words;
}

/** Closes the shared stores of this process, so that no other one waits for what it held. */
export async function closeShared(): Promise<void> {
  await settleMounts();
  await Promise.all([...opened.values()].map(({ close }) => close()));
}

function databaseAt(address: string, outageMs: number): PostgresDatabase {
  return new PostgresDatabase({
    place: address,
    schema: 'reviewloop',
    outageMs,
    migrate: true,
    worker: 'cli',
    connections: connections.rest,
    clock: systemClock,
  });
}
