import type { RunSummary } from '../../ports/store.js';
import { runIds } from '../../reports/run-folder.js';
import type { StoreHandle } from '../store-handle.js';

/** A run that another pipeline stored: no command started it, so it has no report. */
export type OtherRun = Omit<RunSummary, 'cursor'>;

/** How many runs are asked for at a time. */
const page = 10_000;

/**
 * Returns the runs of a store that no command started.
 *
 * @throws ReviewLoopError `file_unreadable`, and the errors of the store
 */
export async function otherRuns(store: StoreHandle): Promise<readonly OtherRun[]> {
  const own = new Set(await runIds(store.files));
  return (await allRuns(store)).filter(({ runId }) => !own.has(runId));
}

/** Returns all runs of a store, with their pipelines. */
export async function allRuns({ runs, exists }: StoreHandle): Promise<readonly OtherRun[]> {
  if (!exists()) return [];
  const found: OtherRun[] = [];
  let after: string | undefined;
  for (;;) {
    const some = await runs.list({ limit: page, ...(after !== undefined && { after }) });
    found.push(...some.map(({ cursor, ...run }) => run));
    after = some.at(-1)?.cursor;
    if (some.length < page || after === undefined) return found;
  }
}
