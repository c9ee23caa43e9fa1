import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileAttempts } from '@/stores/file/index.js';
import { sqliteStore } from '@/stores/sqlite/index.js';
import { type AttemptStore, memoryAttempts, type TaskAttempt } from '@/task-review/index.js';
import { attemptStoreContract } from '@/testing/index.js';
import { newDirectory } from '../unit/stores/file-support.js';
import { faultsOf } from './faults.js';

describe('memoryAttempts keeps the contract of attempt stores', () => {
  for (const { name, run } of attemptStoreContract(() => memoryAttempts())) it(name, run);
});

const places = {
  fileAttempts,
  'the attempts of sqliteStore': (folder: string) => sqliteStore(join(folder, 'runs.db')).attempts,
};

for (const [adapter, open] of Object.entries(places)) {
  describe(`${adapter} keeps the contract of attempt stores`, () => {
    const folders = new Map<AttemptStore, string>();
    const make = (): AttemptStore => {
      const folder = newDirectory();
      const store = open(folder);
      folders.set(store, folder);
      return store;
    };
    for (const { name, run } of attemptStoreContract(make, {
      reopen: (store) => open(folders.get(store) ?? ''),
    }))
      it(name, run);
  });
}

describe('attemptStoreContract finds stores that break it', () => {
  const broken = async (
    wrap: (inner: AttemptStore) => AttemptStore,
    reopen?: () => AttemptStore,
  ): Promise<string> => {
    return (await faultsOf(attemptStoreContract(() => wrap(memoryAttempts()), { reopen }))).join(
      '\n',
    );
  };
  /** A store that keeps another attempt than the one it is given. */
  const keeping = (change: (attempt: TaskAttempt) => TaskAttempt) => (inner: AttemptStore) => ({
    ...inner,
    record: async (attempt: TaskAttempt) => inner.record(change(attempt)),
  });

  it.each<[string, (inner: AttemptStore) => AttemptStore, RegExp]>([
    [
      'one that takes an attempt of each run for the same',
      keeping((attempt) => ({ ...attempt, runId: 'one' })),
      /the attempts at the first task: expected/,
    ],
    [
      'one that erases a verdict when a person approves',
      keeping((attempt) =>
        attempt.humanDecision === 'approve' ? { ...attempt, machineVerdict: 'passed' } : attempt,
      ),
      /the attempt: expected .*"failed"/,
    ],
    [
      'one that keeps 0 for what is not known',
      keeping((attempt) => ({ ...attempt, issues: attempt.issues ?? 0 })),
      /the attempts: expected .*"issues":null/,
    ],
    [
      'one that adds where it must replace',
      (inner) => {
        let runs = 0;
        return {
          ...inner,
          record: async (attempt) =>
            inner.record({ ...attempt, runId: `${attempt.runId} ${runs++}` }),
        };
      },
      /the attempts: expected/,
    ],
    [
      'one that takes anything',
      keeping((attempt) => ({ ...attempt, attempt: 1, at: '2026-01-01T00:00:00.000Z' })),
      /must be refused with invalid_options/,
    ],
    [
      'one that tells the newest first',
      (inner) => ({ ...inner, of: async (id) => [...(await inner.of(id))].reverse() }),
      /the attempts at the first task: expected/,
    ],
    [
      'one that tells the first as the last',
      (inner) => ({ ...inner, last: async (id) => (await inner.of(id))[0] }),
      /the last attempt at the first task: expected/,
    ],
  ])('%s', async (_, wrap, expected) => {
    expect(await broken(wrap)).toMatch(expected);
  });

  it('one that shares what it holds', async () => {
    const sharing = (): AttemptStore => {
      const kept = new Map<string, TaskAttempt[]>();
      const of = (taskId: string): TaskAttempt[] => kept.get(taskId) ?? [];
      return {
        record: async (attempt) => void kept.set(attempt.taskId, [...of(attempt.taskId), attempt]),
        of: async (taskId) => of(taskId),
        last: async (taskId) => of(taskId).at(-1),
      };
    };
    expect(await broken(sharing)).toMatch(/after a change of the recorded attempt/);
  });

  it('one that forgets when it is opened again', async () => {
    expect(await broken((inner) => inner, memoryAttempts)).toMatch(/the attempts: expected/);
  });
});
