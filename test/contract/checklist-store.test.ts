import { describe, expect, it } from 'vitest';
import {
  type ChecklistState,
  type ChecklistStore,
  memoryChecklists,
} from '@/checklist-gate/index.js';
import { fileChecklists } from '@/stores/file/index.js';
import { checklistStoreContract } from '@/testing/index.js';
import { newDirectory } from '../unit/stores/file-support.js';
import { faultsOf } from './faults.js';

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
  const broken = async (
    makeStore: () => ChecklistStore,
    reopen?: () => ChecklistStore,
  ): Promise<string> => {
    return (await faultsOf(checklistStoreContract(makeStore, { reopen }))).join('\n');
  };
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
      /a new phase must read as undefined/,
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
    [
      'one that shares what it contains',
      () => {
        const states = new Map<string, ChecklistState>();
        return {
          read: async (phase) => states.get(phase),
          update: async (phase, change) => {
            const next = change(states.get(phase));
            states.set(phase, next);
            return next;
          },
        };
      },
      /the state: expected/,
    ],
  ])('%s', async (_, makeStore, expected) => {
    expect(await broken(makeStore)).toMatch(expected);
  });

  it('one that forgets when it is opened again', async () => {
    expect(await broken(memoryChecklists, memoryChecklists)).toMatch(/the state: expected/);
  });
});
