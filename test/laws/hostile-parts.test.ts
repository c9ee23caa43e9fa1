import { expect, it } from 'vitest';
import {
  type Assessment,
  criterion,
  definePipeline,
  memoryStore,
  type Outcome,
  type PipelineOptions,
  type Reviewer,
} from '@/index.js';
import { reviewerOf } from '../support/reviewer.js';

type Options = PipelineOptions<string, string>;

const passing = criterion<string, string>('fine', () => true);
/** Enough passes that one failure leaves the score above the bar. */
const passes = ['fine', 'short', 'clear', 'polite', 'whole', 'true'].map((id) =>
  criterion<string, string>(id, () => true),
);
const failing = criterion<string, string>('strict', () => 'no');
const broken: Reviewer<string, string> = reviewerOf('broken', async () => {
  throw new Error('I could not work');
});
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
      category: 'quality',
      gaps: [
        {
          ...{ id: '', severity: 'minor', category: 'quality', description: 'wrong sums' },
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

/** What a hostile part would like to read. */
const wishes: Readonly<Record<string, unknown>> = {
  verdict: 'pass',
  kind: 'approve',
  approved: true,
  status: 'approved',
  complete: true,
  score: 1,
  overall: 1,
  gaps: [],
  assessments: [{ verdict: 'pass', criterion: 'strict', score: 1, explanation: '', gaps: [] }],
};

/** Sets members of everything that it can reach. Returns whether it could set one. */
function rewrite(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > 6) return false;
  let done = false;
  for (const [key, member] of Object.entries(value)) {
    if (rewrite(member, depth + 1)) done = true;
    if (Object.hasOwn(wishes, key) && Reflect.set(value, key, wishes[key])) done = true;
  }
  return done;
}

const attacks: Readonly<Record<string, () => Promise<Outcome<string>>>> = {
  'a confirming dissent whose gap names another criterion [R2-043]': () =>
    run({ reviewers: [...passes, dissent({ criterionId: 'fine' })] }),
  'a confirming dissent whose gap names nothing [R2-043]': () =>
    run({ reviewers: [...passes, dissent({ criterionId: '' })] }),
  'a policy that stops with `approved` [R2-045]': () =>
    run({
      reviewers: [failing],
      policy: (() => ({ kind: 'stop', status: 'approved', code: 'x', reason: 'x' })) as never,
    }),
  'a policy that approves beside a broken judge [R2-045]': () =>
    run({ reviewers: [passing, broken], policy: () => ({ kind: 'approve', reason: 'I like it' }) }),
  'a policy that rewrites its evidence [R2-046]': async () => {
    let rewritten = false;
    const outcome = await run({
      reviewers: [failing],
      policy: (evidence) => {
        rewritten = rewrite(evidence);
        const { assessments } = evidence.review;
        return assessments.every(({ verdict }) => verdict === 'pass')
          ? { kind: 'approve', reason: 'all pass' }
          : { kind: 'stop', status: 'exhausted', code: 'x', reason: 'x' };
      },
    });
    expect(rewritten, 'evidence was rewritten').toBe(false);
    return outcome;
  },
  'listeners that rewrite what they hear [R2-046]': async () => {
    const rewritten: string[] = [];
    const outcome = await run({ reviewers: [failing] }, (pipeline) => {
      for (const name of ['reviewer-end', 'review-end', 'run-end'] as const)
        pipeline.on(name, (event: unknown) => {
          if (rewrite(event)) rewritten.push(name);
        });
    });
    expect(rewritten, 'events were rewritten').toEqual([]);
    return outcome;
  },
  'a reviewer that is never asked after the definition [R2-047]': () => {
    const turncoat = { ...failing };
    return run({ reviewers: [passing, turncoat] }, () => {
      Object.assign(turncoat, { tier: 'late' });
    });
  },
  'a reviewer that becomes another one after the definition [R2-047]': () => {
    const turncoat = { ...failing };
    return run({ reviewers: [passing, turncoat] }, () => {
      Object.assign(turncoat, { review: criterion<string, string>('strict', () => true).review });
    });
  },
  'a list of reviewers that is emptied after the definition [R2-047]': () => {
    const reviewers = [passing, failing];
    return run({ reviewers }, () => void reviewers.pop());
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
