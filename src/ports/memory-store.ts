import { ReviewLoopError } from '../core/errors.js';
import type { Journal, JournalRecord, Store } from './store.js';

interface StoredRun {
  readonly records: JournalRecord[];
  status: string;
  open: boolean;
}

/** A journal of this store. Its mark is private, so that no copy of it, which may do other things, has it. */
class MemoryJournal implements Journal {
  readonly #forgets: boolean;
  declare readonly records: Journal['records'];
  declare readonly append: Journal['append'];
  declare readonly close: Journal['close'];

  constructor(journal: Journal, forgets: boolean) {
    this.#forgets = forgets;
    Object.assign(this, journal);
  }

  static forgets(journal: Journal): boolean | undefined {
    return #forgets in journal ? journal.#forgets : undefined;
  }
}

/** A journal of this store answers at once. */
export function isInMemory(journal: Journal): boolean {
  return MemoryJournal.forgets(journal) !== undefined;
}

export function forgetsSteps(journal: Journal): boolean {
  return MemoryJournal.forgets(journal) === true;
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
  /** Of each of these, the first and the last record. */
  const ended = new Map<string, StoredRun>();
  const forget = (runId: string, run: StoredRun): void => {
    runs.delete(runId);
    ended.set(runId, { ...run, records: [...run.records.slice(0, 1), ...run.records.slice(-1)] });
    const [oldest = ''] = ended.keys();
    if (ended.size > listed) ended.delete(oldest);
  };
  return {
    list: async (query = {}) =>
      (await import('./run-pages.js')).pageOfStored([...ended, ...runs], query),
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
          if (!keep && run.status !== 'suspended' && run.status !== 'running') forget(runId, run);
        },
      };
      return new MemoryJournal(journal, !keep);
    },
  };
}
