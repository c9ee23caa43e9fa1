import { isReviewError } from '../core/errors.js';
import { RunJournal } from '../engine/journal.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';

/** How a run is opened for one short piece of work. */
interface OpenedRun {
  readonly runId: string;
  readonly clock: Clock;
  /** How long to wait while a worker has the run open, in milliseconds. */
  readonly patienceMs: number;
  /** Whether the run must have records. @default false */
  readonly isKnown?: boolean;
}

/** Between two tries to open a run, in milliseconds. */
const pauseMs = 100;

/**
 * Does work while the journal of a run is open. It waits for a worker that has the run open.
 *
 * @throws ReviewLoopError `run_busy` if the worker had it for longer
 */
export async function withRun<Value>(
  store: Store,
  { runId, clock, patienceMs, isKnown = false }: OpenedRun,
  work: (journal: RunJournal) => Promise<Value>,
): Promise<Value> {
  const latest = clock.now() + patienceMs;
  for (;;) {
    try {
      const opening = (isKnown && store.openKnown?.(runId)) || store.open(runId, true);
      const journal = new RunJournal(await opening);
      try {
        return await work(journal);
      } finally {
        await journal.close();
      }
    } catch (error) {
      const isBusy = isReviewError(error) && error.code === 'run_busy';
      if (!isBusy || clock.now() >= latest) throw error;
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    }
  }
}
