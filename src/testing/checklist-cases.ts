import type { ChecklistState } from '../ports/checklist/checklist-state.js';
import type { ChecklistStore } from '../ports/checklist/checklist-store.js';
import { ensure, ensureEqual, keptCases, type StoreCase, thrownBy } from './contract-case.js';

const phase = 'plan-code';

const cases: readonly StoreCase<ChecklistStore>[] = [
  {
    name: 'the first change of a phase receives no state',
    run: async (store) => {
      const received: unknown[] = [];
      await store.update(phase, (state) => {
        received.push(state);
        return stateOf();
      });
      ensure(
        received.every((state) => state === undefined),
        'the first change must receive undefined',
      );
    },
  },
  {
    name: 'the result of a change is the whole state, and a copy',
    run: async (store) => {
      const mine = structuredClone(whole);
      const returned = await store.update(phase, () => mine);
      ensureEqual(returned, whole, 'the result of the change');
      spoil(returned);
      ensureEqual(await store.read(phase), whole, 'after a change of the result');
    },
  },
  {
    name: 'a change receives the state before it, and the next one sees its result',
    run: async (store) => {
      await store.update(phase, () => stateOf());
      await store.update(phase, next);
      ensureEqual((await store.update(phase, next)).iteration, 3, 'the result of the last change');
      ensureEqual(await store.read(phase), stateOf({ iteration: 3 }), 'the state');
    },
  },
  {
    name: 'a change that throws, or that returns its argument, changes nothing',
    run: async (store) => {
      const fault = new Error('no');
      const refuse = (): never => {
        throw fault;
      };
      const first = await thrownBy(() => store.update(phase, refuse), 'a change that throws');
      ensure(first === fault, `the error of the change must be passed on, got ${String(first)}`);
      ensure((await store.read(phase)) === undefined, 'the phase must still have no state');
      await store.update(phase, () => whole);
      await thrownBy(() => store.update(phase, refuse), 'a second change that throws');
      ensureEqual(await store.update(phase, (state) => state ?? whole), whole, 'what it returns');
      ensureEqual(await store.read(phase), whole, 'the state');
    },
  },
  {
    name: 'concurrent changes all count, also those of the first state',
    run: async (store) => {
      await Promise.all(Array.from({ length: 30 }, () => store.update(phase, next)));
      ensureEqual((await store.read(phase))?.iteration, 30, 'the iteration after 30 changes');
    },
  },
];

function next(state: ChecklistState | undefined): ChecklistState {
  return state === undefined ? stateOf() : stateOf({ iteration: state.iteration + 1 });
}

function stateOf({ iteration = 1, ...more }: Partial<ChecklistState> = {}): ChecklistState {
  const item = { id: 'plan-code-001', scope: 'file:a.ts', check: 'a check' } as const;
  const reset = { ...item, status: 'TODO', finding: null, severity: 'MUST' } as const;
  const items = iteration === 1 ? [] : [{ ...reset, iteration, version: iteration }];
  return { schema_version: '1.1', phase, iteration, items, ...more };
}

const text = 'line\nbreak "quotes" \'); DROP TABLE checklists; -- \u2028 ü 😀 __proto__';

const whole: ChecklistState = {
  ...stateOf(),
  items: [
    {
      id: 'plan-code-001',
      scope: 'file:a.ts:1-2',
      check: text,
      status: 'FAIL',
      finding: text,
      severity: 'SHOULD',
      iteration: 1,
      version: 2,
      judged: { score: 0.25, usage: { inputTokens: 10 }, at: 1 },
      note: text,
    },
  ],
  run: { id: 'a run', from: 1 },
  inputs: ['a.ts'],
  extra: { member: text },
};

function spoil(state: ChecklistState): void {
  const [item] = state.items;
  if (item !== undefined) Reflect.set(item, 'status', 'PASS');
  Reflect.set(state, 'iteration', 99);
}

export const checklistCases = keptCases<ChecklistStore, ChecklistState>(
  {
    noun: 'state',
    put: (store, state) => store.update(state.phase, () => state),
    get: (store, like) => store.read(like.phase),
    ...{ whole, next: stateOf({ iteration: 2 }) },
    others: {
      phase: stateOf({ phase: 'impl-docs', iteration: 3 }),
      stage: stateOf({ phase: 'plan-docs' }),
    },
    spoil,
  },
  cases,
);
