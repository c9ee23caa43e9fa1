import { ReviewLoopError } from '../core/errors.js';
import type { Journal, JournalRecord, RunSummary, Store } from './store.js';

interface StoredRun {
  readonly records: JournalRecord[];
  status: string;
  open: boolean;
}

/** By journal of this store: whether its steps become unreadable when its run ends. */
const journals = new WeakMap<Journal, boolean>();

/** Returns whether a journal is one of this store, which answers at once. */
export function isInMemory(journal: Journal): boolean {
  return journals.has(journal);
}

/** Returns whether the steps of a journal become unreadable when its run ends. */
export function forgetsSteps(journal: Journal): boolean {
  return journals.get(journal) === true;
}

function summaryOf(runId: string, { status, records }: StoredRun): RunSummary {
  const [first] = records;
  const last = records.at(-1);
  return {
    runId,
    status,
    ...(first?.type === 'run' && { pipeline: first.pipeline, startedAt: first.at }),
    ...(last?.type === 'end' && { code: last.code }),
  };
}

/** How many ended runs with generated ids stay in the list. */
const listed = 1000;

/**
 * Creates a store in the memory of this process; the default store. An ended run stays readable if
 * the caller chose its id. Of the other runs, the store lists the status of the last 1000.
 *
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, store: memoryStore() });
 * ```
 */
export function memoryStore(): Store {
  const runs = new Map<string, StoredRun>();
  const ended = new Map<string, RunSummary>();
  const forget = (run: RunSummary): void => {
    runs.delete(run.runId);
    ended.set(run.runId, run);
    if (ended.size <= listed) return;
    for (const oldest of ended.keys()) {
      ended.delete(oldest);
      return;
    }
  };
  return {
    list: async (query = {}) =>
      (await import('./run-pages.js')).pageOfRuns(
        [...ended.values(), ...[...runs].map(([runId, run]) => summaryOf(runId, run))],
        query,
      ),
    read: async (runId) => runs.get(runId)?.records.slice(),
    open: (runId, keep) => {
      const run = runs.get(runId) ?? { records: [], status: 'running', open: false };
      if (run.open) throw new ReviewLoopError('run_busy', `run ${runId} is already in progress`);
      run.open = true;
      runs.set(runId, run);
      const journal: Journal = {
        records: run.records.slice(),
        append: (record) => {
          run.records.push(record);
          run.status = record.type === 'end' ? record.status : 'running';
        },
        close: () => {
          run.open = false;
          if (run.records.length === 0) runs.delete(runId);
          if (!keep && run.status !== 'suspended' && run.status !== 'running')
            forget(summaryOf(runId, run));
        },
      };
      journals.set(journal, !keep);
      return journal;
    },
  };
}
