import type { ReadableLessonStore } from '../blocks/lessons/lesson-store.js';
import type { Gap } from '../core/gap.js';
import { copyJson } from '../core/json.js';
import type { Outcome } from '../core/outcome.js';
import type { Review } from '../core/review.js';
import type { LessonStore } from '../ports/lesson-store.js';
import { ensure, ensureEqual, type StoreCase, type StoreCases } from './contract-case.js';

const tasks: readonly unknown[] = [
  'tea',
  '',
  null,
  7,
  ['tea'],
  { context: { task: { id: 'a', description: 'tea' }, items: [] } },
];

const cases: readonly StoreCase<LessonStore>[] = [
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
  {
    name: 'a store that lists its lessons lists each once for every run that taught it',
    run: async (store) => {
      if (!isReadable(store)) return;
      ensureEqual(await store.lessons(), [], 'the lessons of an empty store');
      await store.capture?.({ task: 'tea', outcome: improved('first') });
      await store.capture?.({ task: 'tea', outcome: improved('first') });
      ensureEqual((await store.lessons()).length, 1, 'the lessons after one run, captured twice');
      await store.capture?.({ task: 'tea', outcome: improved('second') });
      ensureEqual((await store.lessons()).length, 2, 'the lessons after two runs');
      const text = await store.relevantTo('tea');
      ensure(text.includes('2 runs'), `the text must count the runs, got ${JSON.stringify(text)}`);
    },
  },
  {
    name: 'a store that lists its lessons loses none of concurrent runs',
    run: async (store) => {
      if (!isReadable(store)) return;
      await Promise.all(
        Array.from({ length: 15 }, async (_, index) =>
          store.capture?.({ task: 'tea', outcome: improved(`run ${index}`) }),
        ),
      );
      ensureEqual((await store.lessons()).length, 15, 'the lessons after 15 runs');
    },
  },
];

const reopened: readonly StoreCase<LessonStore>[] = [
  {
    name: 'lessons survive when the store is opened again',
    run: async (store, reopen) => {
      await store.capture?.({ task: 'tea', outcome: improved('run') });
      const before = await store.relevantTo('tea');
      const again = await reopen();
      ensureEqual(await again.relevantTo('tea'), before, 'the lessons');
      if (isReadable(again)) ensureEqual((await again.lessons()).length, 1, 'their number');
    },
  },
];

function isReadable(store: LessonStore): store is ReadableLessonStore {
  return 'lessons' in store && typeof store.lessons === 'function';
}

const gap: Gap = {
  id: 'gap',
  severity: 'major',
  category: 'missing',
  description: 'line\nbreak "quotes" \'); DROP TABLE lessons; -- \u2028 ü 😀 \u0000 __proto__',
  suggestedFix: 'name the price',
  estimatedEffort: 'small',
  autoFixable: false,
};

function reviewOf(iteration: number, quality: number, found: Partial<Review>): Review {
  return {
    iteration,
    version: `version ${iteration}`,
    assessments: [],
    gaps: [],
    fixed: [],
    scores: {
      quality,
      completeness: 1,
      correctness: 1,
      overall: quality,
      judged: 1,
      total: 1,
      criteria: { met: 1, judged: 1, total: 1 },
      requirements: { met: 0, judged: 0, total: 0 },
    },
    decision: { kind: 'stop', status: 'stalled', reason: 'no progress', code: 'no_progress' },
    complete: true,
    usage: {},
    durationMs: 1,
    at: '2026-01-01T00:00:00.000Z',
    ...found,
  };
}

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

function improved(runId: string): Outcome<unknown> {
  const reviews = [reviewOf(1, 0.5, { gaps: [gap] }), reviewOf(2, 0.9, { fixed: [gap] })];
  return { ...stalled, runId, reviews };
}

/** A store with `lessons`, as `ReadableLessonStore` has it, must pass more of them. */
export const lessonCases: StoreCases<LessonStore> = { cases, reopened };
