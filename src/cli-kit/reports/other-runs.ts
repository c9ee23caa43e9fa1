import { existsSync } from 'node:fs';
import type { RunSummary, Store } from '../../ports/store.js';
import { runIds } from '../../reports/run-folder.js';
import { openStores } from '../run-stores.js';
import { databaseOf } from '../store-folder.js';

/** A run that another pipeline stored: no command started it, so it has no report. */
export type OtherRun = Omit<RunSummary, 'cursor'>;

/** How many runs are asked for at a time. */
const page = 10_000;

/**
 * Returns the runs of a store that no command started.
 *
 * @throws ReviewLoopError `file_unreadable`, and the errors of the store
 */
export async function otherRuns(folder: string): Promise<readonly OtherRun[]> {
  const own = new Set(await runIds(folder));
  return (await allRuns(folder)).filter(({ runId }) => !own.has(runId));
}

/** Returns all runs of the store of a folder, with their pipelines. */
export async function allRuns(folder: string): Promise<readonly OtherRun[]> {
  const database = databaseOf(folder);
  // reading must not create a database
  if (database !== undefined && !existsSync(database)) return [];
  return runsIn(openStores(folder).store);
}

async function runsIn(store: Pick<Store, 'list'>): Promise<readonly OtherRun[]> {
  const found: OtherRun[] = [];
  let after: string | undefined;
  for (;;) {
    const runs = await store.list({ limit: page, ...(after !== undefined && { after }) });
    found.push(...runs.map(({ cursor, ...run }) => run));
    after = runs.at(-1)?.cursor;
    if (runs.length < page || after === undefined) return found;
  }
}
