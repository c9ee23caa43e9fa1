import { ReviewLoopError } from '../core/errors.js';
import type { Journal, JournalRecord, Store } from './store.js';

interface Held {
  readonly records: JournalRecord[];
  status: string;
  open: boolean;
}

const forgetting = new WeakSet<Journal>();

/** Returns whether the steps of a journal can never be read again once its run has ended. */
export function forgetsSteps(journal: Journal): boolean {
  return forgetting.has(journal);
}

/** How many ended runs without a name of their own are still listed. */
const listed = 1000;

/**
 * Keeps runs in this process; the default store. A run that has ended is kept when its id came from the caller; of the
 * others only the status is listed, for the last 1000.
 */
export function memoryStore(): Store {
  const runs = new Map<string, Held>();
  const ended = new Map<string, string>();
  const forget = (runId: string, status: string): void => {
    runs.delete(runId);
    ended.set(runId, status);
    if (ended.size <= listed) return;
    for (const oldest of ended.keys()) {
      ended.delete(oldest);
      return;
    }
  };
  return {
    list: async (query = {}) =>
      [...ended.entries(), ...[...runs].map(([runId, held]) => [runId, held.status] as const)]
        .filter(([, status]) => query.status === undefined || query.status === status)
        .map(([runId, status]) => ({ runId, status })),
    read: async (runId) => runs.get(runId)?.records.slice(),
    open: (runId, keep) => {
      const held = runs.get(runId) ?? { records: [], status: 'running', open: false };
      if (held.open) throw new ReviewLoopError('run_busy', `run ${runId} is already in progress`);
      held.open = true;
      runs.set(runId, held);
      const journal: Journal = {
        records: held.records.slice(),
        append: (record) => {
          held.records.push(record);
          held.status = record.type === 'end' ? record.status : 'running';
        },
        close: () => {
          held.open = false;
          if (held.records.length === 0) runs.delete(runId);
          if (!keep && held.status !== 'suspended' && held.status !== 'running')
            forget(runId, held.status);
        },
      };
      if (!keep) forgetting.add(journal);
      return journal;
    },
  };
}
