import { copyJson } from '../core/json.js';
import type { Outcome } from '../core/outcome.js';
import type { LessonStore } from '../ports/lesson-store.js';
import { type ContractCase, ensure } from './contract-case.js';

/**
 * Returns the test cases that every {@link LessonStore} must pass.
 *
 * @param makeStore - Creates a new empty store for each case.
 * @example
 * ```ts
 * for (const { name, run } of lessonStoreContract(() => memoryLessons())) test(name, run);
 * ```
 */
export function lessonStoreContract(
  makeStore: () => LessonStore | Promise<LessonStore>,
): readonly ContractCase[] {
  return cases.map(({ name, run }) => ({ name, run: async () => run(await makeStore()) }));
}

interface LessonCase {
  readonly name: string;
  readonly run: (store: LessonStore) => Promise<void>;
}

const tasks: readonly unknown[] = [
  'tea',
  '',
  null,
  7,
  ['tea'],
  { context: { task: { id: 'a', description: 'tea' }, items: [] } },
];

const cases: readonly LessonCase[] = [
  {
    name: 'an empty store has no lessons, whatever the task',
    run: async (store) => {
      for (const task of tasks)
        ensure(
          (await store.relevantTo(task)) === '',
          `an empty store must return '' for ${JSON.stringify(task)}`,
        );
    },
  },
  {
    name: 'captures the outcome of any task without changing it, and returns a text afterwards',
    run: async (store) => {
      for (const task of tasks)
        await store.capture?.(copyJson({ task, outcome: stalled }, { freeze: true }));
      for (const task of tasks)
        ensure(typeof (await store.relevantTo(task)) === 'string', 'lessons must be a text');
    },
  },
  {
    name: 'captures concurrently',
    run: async (store) => {
      await Promise.all(tasks.map(async (task) => store.capture?.({ task, outcome: stalled })));
      ensure(typeof (await store.relevantTo('tea')) === 'string', 'lessons must be a text');
    },
  },
];

const stalled: Outcome<unknown> = {
  status: 'stalled',
  approved: false,
  output: 'tea',
  runId: 'run',
  reason: 'the same gap was left unfixed 2 times',
  code: 'gap_unfixed',
  reviews: [],
  usage: { produce: {}, review: {}, address: {} },
};
