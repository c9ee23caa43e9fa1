import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileAttempts, fileChecklists, fileVerdicts } from '@/adapters/stores/file/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { memoryVerdicts, type VerdictStore } from '@/index.js';
import {
  type ChecklistStore,
  checklistVerdicts,
  decodeChecklist,
  memoryChecklists,
} from '@/products/checklist-gate/index.js';
import {
  type AttemptStore,
  memoryAttempts,
  type TaskAttempt,
} from '@/products/task-review/index.js';
import {
  attemptStoreContract,
  checklistStoreContract,
  verdictStoreContract,
} from '@/testing/index.js';
import { newDirectory } from '../unit/adapters/stores/file-support.js';
import { faultsOf } from './faults.js';

describe('memoryVerdicts keeps the contract of verdict stores', () => {
  for (const { name, run } of verdictStoreContract(() => memoryVerdicts())) it(name, run);
});

describe('fileVerdicts keeps the contract of verdict stores', () => {
  const directories = new Map<VerdictStore, string>();
  const make = (): VerdictStore => {
    const directory = newDirectory();
    const store = fileVerdicts(directory);
    directories.set(store, directory);
    return store;
  };
  for (const { name, run } of verdictStoreContract(make, {
    reopen: (store) => fileVerdicts(directories.get(store) ?? ''),
  }))
    it(name, run);
});

describe('the state of a checklist keeps the contract of verdict stores', () => {
  const phase = 'plan-code';
  const item = {
    id: 'tone',
    scope: '*',
    check: 'x',
    status: 'TODO',
    finding: null,
    severity: 'MAY',
    iteration: 1,
    version: 1,
  };
  const kinds: readonly (readonly [string, readonly object[]])[] = [
    ['verdicts on no item', []],
    ['verdicts on an item', [item, { ...item, id: 'another' }]],
  ];
  for (const [what, items] of kinds) {
    const begun = async (store: ChecklistStore): Promise<ChecklistStore> => {
      await store.update(phase, () =>
        decodeChecklist(JSON.stringify({ schema_version: '1.1', phase, iteration: 1, items }), {
          phase,
          where: 'x',
        }),
      );
      return store;
    };
    for (const { name, run } of verdictStoreContract(async () =>
      checklistVerdicts(await begun(memoryChecklists()), phase),
    ))
      it(`${what} in memory: ${name} [QR-57]`, run);
    const directories = new Map<VerdictStore, string>();
    const make = async (): Promise<VerdictStore> => {
      const directory = newDirectory();
      const store = checklistVerdicts(await begun(fileChecklists(directory)), phase);
      directories.set(store, directory);
      return store;
    };
    const reopen = (store: VerdictStore): VerdictStore =>
      checklistVerdicts(fileChecklists(directories.get(store) ?? ''), phase);
    for (const { name, run } of verdictStoreContract(make, { reopen }))
      it(`${what} in qr-plan-code.json: ${name} [QR-57]`, run);
  }
});

describe('verdictStoreContract finds stores that break it, also by the cases of all values', () => {
  type Held = Awaited<ReturnType<VerdictStore['get']>>;
  const broken = async (
    makeStore: () => VerdictStore,
    reopen?: (store: VerdictStore) => VerdictStore,
  ): Promise<string> => {
    return (await faultsOf(verdictStoreContract(makeStore, { reopen }))).join('\n');
  };
  const map = (keyOf: (key: string, verdict?: Held) => string): VerdictStore => {
    const held = new Map<string, Held>();
    return {
      get: async (key) => structuredClone(held.get(keyOf(key))),
      put: async (key, verdict) => void held.set(keyOf(key, verdict), structuredClone(verdict)),
    };
  };

  it('none of which is the yardstick: a map that copies', async () =>
    expect(await broken(() => map((key) => key))).toBe(''));

  it('one that forgets the task: its keys of two tasks are one', async () => {
    const keys = new Map<string, string>();
    const store = (): VerdictStore => {
      const inner = map((key) => key);
      const taskless = ({ reviewer, version, view, history }: NonNullable<Held>['about']): string =>
        JSON.stringify([reviewer, version, view, history]);
      const first = new Map<string, string>();
      return {
        get: async (key) => inner.get(first.get(keys.get(key) ?? '') ?? key),
        put: async (key, verdict) => {
          keys.set(key, taskless(verdict.about));
          if (!first.has(taskless(verdict.about))) first.set(taskless(verdict.about), key);
          await inner.put(key, verdict);
        },
      };
    };
    expect(await broken(store)).toMatch(
      /the verdict about \{"task":"another"\}: expected .*"task":"another".* got .*"task":"task"/,
    );
  });

  it('one that shortens its keys', async () =>
    expect(await broken(() => map((key) => key.slice(0, 1)))).toMatch(
      /a verdict was returned for|view \d+: expected/,
    ));

  it('one that gives a stale verdict: the first under a key stays', async () => {
    const store = (): VerdictStore => {
      const inner = map((key) => key);
      return {
        get: inner.get,
        put: async (key, verdict) =>
          (await inner.get(key)) === undefined ? inner.put(key, verdict) : undefined,
      };
    };
    expect(await broken(store)).toMatch(/expected .*after.* got .*before/);
  });

  it.each<[string, (verdict: Held) => Held, RegExp]>([
    ['shares what it holds', (verdict) => verdict, /after a change of the stored verdict/],
    [
      'copies what is put, and shares what it gives',
      structuredClone,
      /after a change of the returned verdict/,
    ],
  ])('one that %s', async (_, kept, complaint) => {
    const store = (): VerdictStore => {
      const held = new Map<string, Held>();
      return {
        get: async (key) => held.get(key),
        put: async (key, verdict) => void held.set(key, kept(verdict)),
      };
    };
    expect(await broken(store)).toMatch(complaint);
  });

  it('one that forgets when it is opened again', async () =>
    expect(
      await broken(
        () => memoryVerdicts(),
        () => memoryVerdicts(),
      ),
    ).toMatch(/the verdict: expected/));
});

describe('memoryChecklists keeps the contract of checklist stores', () => {
  for (const { name, run } of checklistStoreContract(() => memoryChecklists())) it(name, run);
});

describe('fileChecklists keeps the contract of checklist stores', () => {
  const folders = new Map<ChecklistStore, string>();
  const make = (): ChecklistStore => {
    const folder = newDirectory();
    const store = fileChecklists(folder);
    folders.set(store, folder);
    return store;
  };
  for (const { name, run } of checklistStoreContract(make, {
    reopen: (store) => fileChecklists(folders.get(store) ?? ''),
  }))
    it(name, run);
});

describe('checklistStoreContract finds stores that break it', () => {
  const broken = async (makeStore: () => ChecklistStore): Promise<string> =>
    (await faultsOf(checklistStoreContract(makeStore))).join('\n');
  const wrapped = (wrap: (inner: ChecklistStore) => Partial<ChecklistStore>) => () => {
    const inner = memoryChecklists();
    return { ...inner, ...wrap(inner) };
  };

  it.each<[string, () => ChecklistStore, RegExp]>([
    [
      'one that puts all phases into one state',
      wrapped((inner) => ({
        read: () => inner.read('plan-code'),
        update: (_, change) => inner.update('plan-code', change),
      })),
      /the first phase: expected 2, got 3/,
    ],
    [
      'one whose changes overtake each other',
      wrapped((inner) => ({
        update: async (phase, change) => {
          const next = change(await inner.read(phase));
          return inner.update(phase, () => next);
        },
      })),
      /the iteration after 30 changes: expected 30/,
    ],
    [
      'one that begins with a state',
      wrapped((inner) => ({
        read: async (phase) =>
          (await inner.read(phase)) ?? { schema_version: '1.1', phase, iteration: 1, items: [] },
      })),
      /it has a state/,
    ],
    [
      'one that hides the error of a change',
      wrapped((inner) => ({
        update: (phase, change) =>
          inner.update(phase, change).catch((error: unknown) => {
            throw new Error('the change failed', { cause: error });
          }),
      })),
      /the error of the change must be passed on/,
    ],
    [
      'one that drops members that it does not know',
      wrapped((inner) => ({
        update: (phase, change) =>
          inner.update(phase, (state) => {
            const { schema_version, iteration, items, run, inputs } = change(state);
            return { schema_version, phase, iteration, items, run, inputs };
          }),
      })),
      /the result of the change: expected/,
    ],
  ])('%s', async (_, makeStore, expected) => {
    expect(await broken(makeStore)).toMatch(expected);
  });
});

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
  const broken = async (wrap: (inner: AttemptStore) => AttemptStore): Promise<string> =>
    (await faultsOf(attemptStoreContract(() => wrap(memoryAttempts())))).join('\n');
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
});
