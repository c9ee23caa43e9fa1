import { expect, it } from 'vitest';
import {
  type Assessment,
  criterion,
  definePipeline,
  memoryStore,
  type Outcome,
  type PipelineOptions,
  type Reviewer,
} from '../../src/index.js';

type Options = PipelineOptions<string, string>;

const passing = criterion<string, string>('fine', () => true);
const failing = criterion<string, string>('strict', () => 'no');
const broken: Reviewer<string, string> = {
  id: 'broken',
  version: '1',
  tier: 'code',
  review: async () => {
    throw new Error('I could not work');
  },
};
const dissent = (gap: object): Reviewer<string, string> => ({
  id: 'second',
  version: '1',
  tier: 'confirm',
  review: async () => [
    {
      verdict: 'fail',
      criterion: 'second',
      score: 0,
      explanation: 'the sums are wrong',
      category: 'incorrect',
      gaps: [
        {
          ...{ id: '', severity: 'minor', category: 'incorrect', description: 'wrong sums' },
          ...{ suggestedFix: 'add again', estimatedEffort: 'small', autoFixable: false },
          ...gap,
        },
      ],
    } as Assessment,
  ],
});

/** Runs a work that must not be approved; a hostile part tries to have it approved all the same. */
async function run(
  options: Partial<Options>,
  attack?: (pipeline: Pipe) => void,
): Promise<Outcome<string>> {
  const pipeline = definePipeline<string, string>({
    produce: async () => 'work',
    budget: { reviews: 1, timeoutMs: 3000 },
    ...options,
  });
  attack?.(pipeline);
  return pipeline.run('task');
}
type Pipe = ReturnType<typeof definePipeline<string, string>>;

/** Sets members of everything that it can reach. */
function rewrite(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 5) return;
  for (const [key, member] of Object.entries(value)) {
    rewrite(member, depth + 1);
    try {
      if (key === 'verdict') Reflect.set(value, key, 'pass');
      if (key === 'kind') Reflect.set(value, key, 'approve');
      if (key === 'assessments' || key === 'gaps') Reflect.set(value, key, []);
    } catch {
      // it is frozen
    }
  }
}

const attacks: Readonly<Record<string, () => Promise<Outcome<string>>>> = {
  'a confirming dissent whose gap names another criterion [R2-043]': () =>
    run({ reviewers: [passing, dissent({ criterionId: 'fine' })] }),
  'a confirming dissent whose gap names nothing [R2-043]': () =>
    run({ reviewers: [passing, dissent({ criterionId: '' })] }),
  'a policy that stops with `approved` [R2-045]': () =>
    run({
      reviewers: [failing],
      policy: (() => ({ kind: 'stop', status: 'approved', code: 'x', reason: 'x' })) as never,
    }),
  'a policy that approves beside a broken judge [R2-045]': () =>
    run({ reviewers: [passing, broken], policy: () => ({ kind: 'approve', reason: 'I like it' }) }),
  'a policy that rewrites its evidence [R2-046]': () =>
    run({
      reviewers: [failing],
      policy: (evidence) => {
        rewrite(evidence);
        const { assessments } = evidence.review;
        return assessments.every(({ verdict }) => verdict === 'pass')
          ? { kind: 'approve', reason: 'all pass' }
          : { kind: 'stop', status: 'exhausted', code: 'x', reason: 'x' };
      },
    }),
  'listeners that rewrite what they hear [R2-046]': () =>
    run({ reviewers: [failing] }, (pipeline) => {
      for (const name of ['reviewer-end', 'review-end', 'run-end'] as const)
        pipeline.on(name, (event: unknown) => rewrite(event));
    }),
  'a reviewer that becomes another one after the definition [R2-047]': () => {
    const turncoat = { ...failing };
    return run({ reviewers: [passing, turncoat] }, () => {
      Object.assign(turncoat, { tier: 'late', review: passing.review });
    });
  },
  'a store that never answers [R2-048]': () => {
    const store = memoryStore();
    const never = () => new Promise<never>(() => {});
    return run({
      reviewers: [passing],
      budget: { timeoutMs: 200 },
      store: { ...store, open: never },
    });
  },
  'a journal that never answers [R2-048]': () => {
    const store = memoryStore();
    return run({
      reviewers: [passing],
      budget: { timeoutMs: 200 },
      store: {
        ...store,
        open: async (...given) => ({
          ...(await store.open(...given)),
          append: () => new Promise<never>(() => {}),
        }),
      },
    });
  },
};

it.each(Object.entries(attacks))(
  'is not talked into an approval by %s',
  async (_, attack) => {
    const outcome = await attack();
    expect(outcome).toBeDefined();
    expect(outcome.approved, outcome.reason).toBe(false);
    expect(outcome.status).not.toMatch(/^(?:approved|accepted)$/i);
  },
  20_000,
);
