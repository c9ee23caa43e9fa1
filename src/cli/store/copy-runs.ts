import { ReviewLoopError } from '../../core/errors.js';
import { canonicalJson } from '../../core/json.js';
import { mapBounded } from '../../core/map-bounded.js';
import type { JournalRecord, Store } from '../../ports/store.js';
import { type Copied, CopyCount } from './copied.js';

/** How many runs are copied at a time. */
const atOnce = 8;

/**
 * Checks that no process works on a run of a store.
 *
 * @throws ReviewLoopError `run_busy`, with the run
 */
export async function refuseOpenRuns(store: Store): Promise<void> {
  for (const { runId, status } of await store.list()) {
    if (status !== 'running' && status !== 'suspended') continue;
    try {
      await (await store.open(runId, true)).close();
    } catch (error) {
      throw new ReviewLoopError(
        'run_busy',
        `run ${runId} is open in another process; let it end, then copy again: nothing was copied`,
        { cause: error, value: runId },
      );
    }
  }
}

/**
 * Copies runs with all their records. What an earlier copy began is completed; a run that went on
 * in the other store stays as it is there.
 *
 * @param after - Called for each run that the other store has now.
 */
export async function copyRuns(
  from: Store,
  to: Store,
  after: (runId: string, isCopied: boolean) => Promise<void>,
): Promise<Copied> {
  const count = new CopyCount();
  const runs = await from.list();
  await mapBounded(runs, atOnce, async ({ runId }) => {
    const state = await copyRun(runId, from, to);
    if (state === 'copied') count.copied();
    else if (state === 'there') count.there();
    else count.differs(`run ${runId}`);
    if (state !== 'differs') await after(runId, state === 'copied');
  });
  return count.result;
}

async function copyRun(
  runId: string,
  from: Store,
  to: Store,
): Promise<'copied' | 'there' | 'differs'> {
  const records = (await from.read(runId)) ?? [];
  const known = (await to.read(runId)) ?? [];
  if (!isSame(records, known)) return 'differs';
  // the run went on in the other store
  if (known.length >= records.length) return 'there';
  const journal = await to.open(runId, true);
  try {
    if (journal.records.length !== known.length) return 'differs';
    for (const record of records.slice(known.length)) await journal.append(record);
  } finally {
    await journal.close();
  }
  return 'copied';
}

/** Returns whether the shorter one of two journals is the start of the other one. */
function isSame(one: readonly JournalRecord[], other: readonly JournalRecord[]): boolean {
  const length = Math.min(one.length, other.length);
  return one
    .slice(0, length)
    .every((record, index) => canonicalJson(record) === canonicalJson(other[index]));
}
