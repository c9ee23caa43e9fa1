import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  definePipeline,
  memoryVerdicts,
  type Outcome,
  type Reviewer,
  type VerdictStore,
} from '@/index.js';
import { digestOf, type StoredVerdict, verdictKey } from '@/ports/index.js';

interface Site {
  readonly pages: Readonly<Record<string, string>>;
}

/** One run of a history: who judges by which rules, for which task, and what is produced. */
interface Past {
  readonly task: string;
  readonly pages: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, number>>;
}

const letters = fc.constantFrom('', 'x', 'xx', 'y');
const history = fc.array(
  fc.record({
    task: fc.constantFrom('no x', 'no y'),
    pages: fc.record({ a: letters, b: letters }),
    rules: fc.record({
      a: fc.constantFrom(1, 2),
      b: fc.constantFrom(1, 2),
      whole: fc.constantFrom(1, 2),
    }),
  }),
  { minLength: 2, maxLength: 8 },
);

/** What a judge must say, computed from nothing but the task, its rules and what it reads. */
const truth = (task: string, rule: number, text: string): boolean =>
  !text.includes(task.slice(3)) && text.length < rule + 1;
const readBy = (id: string, { pages }: Site): string =>
  id === 'whole' ? `${pages['a']}${pages['b']}` : (pages[id] ?? '');

const texts = ['', 'x', 'xx', 'y'];

/** The digests of everything that a reviewer may read. */
const views = (reviewer: string): string[] =>
  reviewer === 'whole'
    ? texts.flatMap((a) => texts.map((b) => digestOf({ pages: { a, b } })))
    : texts.map((text) => digestOf(text));

async function runOf(
  { task, pages, rules }: Past,
  verdicts: VerdictStore,
  asked: string[],
): Promise<Outcome<Site>> {
  const reviewers = Object.entries(rules).map(([id, rule]): Reviewer<string, Site> => {
    const review: Reviewer<string, Site>['review'] = async (subject) => {
      const view = id === 'whole' ? readBy(id, subject.output) : String(subject.output);
      asked.push(JSON.stringify([id, rule, task, id === 'whole' ? pages : view]));
      const passed = truth(subject.task, rule, view);
      return [
        {
          verdict: passed ? 'pass' : 'fail',
          criterion: id,
          score: passed ? 1 : 0,
          explanation: '',
          gaps: [],
        },
      ];
    };
    return {
      id,
      version: String(rule),
      tier: 'code',
      review,
      ...(id !== 'whole' && { scope: ({ output }) => readBy(id, output) }),
    };
  });
  // edited in place once it was given away
  const output = structuredClone({ pages }) as { pages: Record<string, string> };
  const outcome = await definePipeline<string, Site>({
    produce: async () => output,
    reviewers,
    verdicts,
  }).run(task);
  output.pages['a'] = 'spoiled';
  return outcome;
}

/** Goes through a history and throws at the first verdict that is wrong, or call that is one too many or too few. */
async function walk(past: readonly Past[], verdicts: VerdictStore): Promise<void> {
  const known = new Set<string>();
  for (const one of past) {
    const asked: string[] = [];
    const { reviews } = await runOf(one, verdicts, asked);
    const needed = Object.entries(one.rules).map(([id, rule]) =>
      JSON.stringify([id, rule, one.task, id === 'whole' ? one.pages : readBy(id, one)]),
    );
    for (const { criterion, verdict } of reviews[0]?.assessments ?? []) {
      expect(verdict === 'pass', `${criterion} of ${JSON.stringify(one)}`).toBe(
        truth(one.task, one.rules[criterion] ?? 0, readBy(criterion, one)),
      );
    }
    expect(asked.sort(), JSON.stringify(one)).toEqual(
      needed.filter((key) => !known.has(key)).sort(),
    );
    expect(reviews[0]?.reused?.verdicts ?? 0).toBe(needed.length - asked.length);
    for (const key of needed) known.add(key);
  }
}

const holds = (makeStore: () => VerdictStore, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(history, (past) => walk(past, makeStore())),
    { seed: 8, numRuns },
  );

describe('law 8 over runs: no stale verdict, and none asked for twice', () => {
  it('in 1,000 histories of runs over changing tasks, outputs and rules that share a store', async () => {
    await holds(() => memoryVerdicts(), 1000);
  });

  it('a store that forgets now and then costs calls, and gives no stale verdict', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (past) => {
        const verdicts = memoryVerdicts({ max: 2 });
        for (const one of past) {
          const rules: Readonly<Record<string, number>> = one.rules;
          const { reviews } = await runOf(one, verdicts, []);
          for (const { criterion, verdict } of reviews[0]?.assessments ?? [])
            expect(verdict === 'pass').toBe(
              truth(one.task, rules[criterion] ?? 0, readBy(criterion, one)),
            );
        }
      }),
      { seed: 8, numRuns: 250 },
    );
  });
});

describe('law 8 over runs is red for', () => {
  /** A store that looks verdicts up by a part of what they are about, and makes them say that they are about the rest. */
  const careless = (part: (about: StoredVerdict['about']) => unknown): VerdictStore => {
    const held: StoredVerdict[] = [];
    const wanted = new Map<string, StoredVerdict['about']>();
    for (const task of ['no x', 'no y'].map(digestOf)) {
      for (const reviewer of ['a', 'b', 'whole'])
        for (const version of ['1', '2'])
          for (const view of views(reviewer))
            wanted.set(verdictKey({ reviewer, version, task, view }), {
              reviewer,
              version,
              task,
              view,
            });
    }
    return {
      get: async (key) => {
        const about = wanted.get(key);
        const found =
          about &&
          held.findLast(
            (verdict) => JSON.stringify(part(verdict.about)) === JSON.stringify(part(about)),
          );
        return found && { ...found, about };
      },
      put: async (_, verdict) => void held.push(verdict),
    };
  };

  it.each([
    ['the yardstick, which forgets nothing, not', (about: StoredVerdict['about']) => about, false],
    ['one that forgets the task', ({ task: _, ...rest }: StoredVerdict['about']) => rest, true],
    [
      'one that forgets the version of the reviewer',
      ({ version: _, ...rest }: StoredVerdict['about']) => rest,
      true,
    ],
    ['one that forgets the view', ({ view: _, ...rest }: StoredVerdict['about']) => rest, true],
    [
      'one that forgets the reviewer',
      ({ reviewer: _, ...rest }: StoredVerdict['about']) => rest,
      true,
    ],
  ])('%s', async (_, part, red) => {
    const checked = holds(() => careless(part), 200);
    if (red) await expect(checked).rejects.toThrow(/Property failed/);
    else await checked;
  });

  it('one whose verdicts are changed by who receives them: they are copied', async () => {
    const held = new Map<string, StoredVerdict>();
    const shared: VerdictStore = {
      get: async (key) => held.get(key),
      put: async (key, verdict) => void held.set(key, structuredClone(verdict)),
    };
    const past: Past = { task: 'no x', pages: { a: 'y', b: '' }, rules: { a: 1, b: 1, whole: 1 } };
    await runOf(past, shared, []);
    const { reviews } = await runOf(past, shared, []);
    for (const assessment of reviews[0]?.assessments ?? [])
      Reflect.set(assessment, 'verdict', 'fail' satisfies Assessment['verdict']);
    expect(
      [...held.values()].flatMap(({ assessments }) => assessments.map(({ verdict }) => verdict)),
    ).toEqual(['pass', 'pass', 'pass']);
  });
});
