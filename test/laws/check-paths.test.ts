import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asksNobody } from '@/core/policy.js';
import {
  criterion,
  definePipeline,
  limiter,
  noProgress,
  type Outcome,
  type PipelineOptions,
  type Reviewer,
  ReviewLoopError,
  thresholds,
} from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { seed } from '../support/seed.js';
import { throwing } from '../support/throwing.js';
import { reviewer, turn } from '../unit/engine/support.js';

/**
 * A check of a criterion that nobody follows is made without the context of a reviewer. Whatever
 * somebody can see of a run is the same with a hook that does nothing, which needs the contexts.
 */

interface Made {
  readonly version: number;
}

const answers: Readonly<Record<string, () => unknown>> = {
  yes: () => true,
  no: () => false,
  text: () => 'it is wrong',
  low: () => ({ passed: false, score: 0.3, details: 'low' }),
  high: () => ({ passed: true, score: 0.9, details: 'high' }),
  places: () => ({
    passed: false,
    findings: [{ description: 'here', file: 'a.ts', line: 3 }, { description: 'there' }],
  }),
  remark: () => ({ passed: true, score: 0.8, details: '', findings: [{ description: 'small' }] }),
  skipped: () => ({ passed: true, skipped: 'nothing to look at' }),
  undecided: () => ({ passed: false, undecided: 'cannot tell' }),
  contradiction: () => ({ passed: true, score: 0, details: 'odd' }),
  tooHigh: () => ({ passed: true, score: 2, details: 'odd' }),
  extra: () => ({ passed: true, score: 1, details: '', other: 1 }),
  getter: () => ({
    get passed() {
      return true;
    },
    score: 1,
    details: 'by a getter',
  }),
  inherited: () => Object.create({ passed: true, score: 1, details: 'inherited' }) as unknown,
  nothing: () => undefined,
  nullish: () => null,
  number: () => 7,
  long: () => 'x'.repeat(30_000),
  throws: throwing('broken'),
  throwsText: () => {
    throw 'a text';
  },
  mayRecover: throwing(new ReviewLoopError('timeout', 'it took long', { retryable: true })),
  refused: throwing(new ReviewLoopError('invalid_options', 'never again')),
};

const how = ['now', 'promise', 'later', 'foreign'] as const;

/** Makes a promise of another realm, which is no instance of the `Promise` of this one. */
const foreignPromise = runInNewContext('async (answer) => answer()') as (
  answer: () => unknown,
) => unknown;

/** What one criterion does, by version and try. */
interface Script {
  readonly said: readonly (keyof typeof answers)[];
  readonly how: (typeof how)[number];
  readonly tier: 'code' | 'model' | 'confirm';
  readonly severity: 'critical' | 'major' | 'minor';
  readonly version: string | undefined;
  readonly tells: boolean;
}

interface Scene {
  readonly scripts: readonly Script[];
  readonly versions: readonly ('next' | 'same' | 'first' | 'throws')[];
  readonly retries: number;
  readonly failFast: boolean;
  readonly reviews: number;
  readonly concurrency: number;
  readonly policy: 'usual' | 'progress' | 'own' | 'broken';
  readonly cancel: number | undefined;
  readonly listens: boolean;
  /** The limit on tokens. With one, a judge is asked too, whose answer takes 50. */
  readonly tokens: number | undefined;
}

/** Most answers are verdicts: any other one ends a run in its first review. */
const answer: fc.Arbitrary<keyof typeof answers> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('yes', 'no', 'text', 'low', 'high', 'places', 'remark') },
  fc.constantFrom(...Object.keys(answers)),
);

const script: fc.Arbitrary<Script> = fc.record({
  said: fc.array(answer, { minLength: 1, maxLength: 5 }),
  how: fc.constantFrom(...how),
  tier: fc.constantFrom('code', 'code', 'code', 'model', 'confirm'),
  severity: fc.constantFrom('critical', 'major', 'minor'),
  version: fc.constantFrom('1', undefined),
  tells: fc.boolean(),
});

const scripts: fc.Arbitrary<Scene['scripts']> = fc.array(script, { minLength: 1, maxLength: 5 });

/** Checks of which the last confirms what the others pass: it is asked in more than one review. */
const confirmed: fc.Arbitrary<Scene['scripts']> = fc
  .tuple(fc.array(script, { maxLength: 2 }), script)
  .map(([others, last]) => [
    ...others.map((one): Script => ({ ...one, said: ['yes', 'high'], tier: 'code' })),
    { ...last, tier: 'confirm' },
  ]);

/** A value in one of five scenes, and none in the others. */
const rarely = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, some);

const scene: fc.Arbitrary<Scene> = fc.record({
  scripts: fc.oneof({ weight: 3, arbitrary: scripts }, confirmed),
  versions: fc.array(fc.constantFrom('next', 'next', 'next', 'same', 'first', 'throws'), {
    maxLength: 3,
  }),
  retries: fc.nat({ max: 2 }),
  failFast: fc.boolean(),
  reviews: fc.integer({ min: 1, max: 4 }),
  concurrency: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
  policy: fc.constantFrom('usual', 'progress', 'own', 'broken'),
  cancel: rarely(fc.nat({ max: 8 })),
  listens: fc.boolean(),
  tokens: fc.constantFrom(undefined, undefined, 40, 90),
});

const policies: Record<Scene['policy'], NonNullable<PipelineOptions<string, Made>['policy']>> = {
  usual: thresholds({ quality: 0.5 }),
  progress: noProgress(thresholds(), { unfixed: 1 }),
  own: ({ review }) =>
    review.gaps[0] === undefined
      ? { kind: 'approve', reason: 'no gaps' }
      : { kind: 'revise', reason: 'gaps', from: 'latest', blocking: [review.gaps[0]] },
  broken: throwing('no decision'),
};

/** Spends beside the checks, so that a limit is passed between them. */
const judge: Reviewer<string, Made> = reviewer(
  'judge',
  asksNobody<Reviewer<string, Made>['review']>(async (_, context) => {
    context.reportUsage({ inputTokens: 40, outputTokens: 10 });
    return [{ criterion: 'judge', verdict: 'pass', score: 1, explanation: '', gaps: [] }];
  }),
);

/** Gives an answer in one of the ways in which a check may. */
function given(way: Script['how'], answer: () => unknown): unknown {
  if (way === 'now') return answer();
  if (way === 'promise') return (async () => answer())();
  if (way === 'foreign') return foreignPromise(answer);
  return new Promise((done, fail) => {
    setImmediate(() => {
      try {
        done(answer());
      } catch (error) {
        fail(error);
      }
    });
  });
}

/** What somebody sees of a run: without ids, times and durations. */
function visible(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (/^(?:run|runId|nonce|at|startedAt|durationMs|estimate)$/.test(key)) return undefined;
      if (member instanceof ReviewLoopError)
        return { code: member.code, message: member.message, retryable: member.retryable };
      return member;
    })?.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID') ?? 'null',
  );
}

/** How many checks were made without the context of a reviewer. */
let withoutContext = 0;

async function seenOf(
  { scripts, versions, policy, cancel, listens, concurrency, reviews, tokens, ...rest }: Scene,
  around: PipelineOptions<string, Made>['around'] | undefined,
): Promise<unknown> {
  const stop = new AbortController();
  const said: unknown[] = [];
  const calls: unknown[] = [];
  const logger = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [
      level,
      (about: object, text: string) => void said.push([level, text, visible(about)]),
    ]),
  ) as unknown as NonNullable<PipelineOptions<string, Made>['logger']>;
  let made = 0;
  const pipeline = definePipeline<string, Made>({
    ...rest,
    ...(around !== undefined && { around }),
    logger,
    produce: async () => ({ version: 0 }),
    address: async (output) => {
      const next = versions[made] ?? 'next';
      made += 1;
      if (next === 'throws') throw new Error('no next version');
      if (next === 'same') return output;
      return { version: next === 'first' ? 0 : made };
    },
    reviewers: [
      ...(tokens === undefined ? [] : [judge]),
      ...scripts.map(({ said: script, how: way, tier, severity, version, tells }, index) => {
        let tries = 0;
        const check = (output: Made, task: string, context: unknown): unknown => {
          const { previous, signal } = context as {
            readonly previous: readonly unknown[];
            readonly signal: AbortSignal;
          };
          if (!('step' in (context as object))) withoutContext += 1;
          calls.push([index, output, task, previous.length, signal.aborted]);
          tries += 1;
          if (index === 0 && cancel === tries) stop.abort(new Error('enough'));
          const answer = answers[script[(output.version + tries - 1) % script.length] ?? 'yes'];
          return given(way, () => {
            const value = answer?.();
            return tells && value === false ? `${previous.length} before` : value;
          });
        };
        return criterion(`c${index}`, check as (output: Made) => boolean, {
          tier,
          severity,
          ...(version !== undefined && { version }),
        });
      }),
    ],
    budget: { reviews, ...(tokens !== undefined && { tokens }) },
    policy: policies[policy],
    limiter: limiter({ concurrency }),
  });
  if (listens)
    for (const name of ['review-start', 'reviewer-start', 'reviewer-end', 'review-end'] as const)
      pipeline.on(name, (payload: unknown) => void said.push([name, visible(payload)]));
  const outcome: Outcome<Made> = await pipeline.run('task', { signal: stop.signal });
  // checks of one review run at the same time: a turn more or less decides which is told first
  const inOrder = (list: readonly unknown[]): string[] =>
    list.map((one) => JSON.stringify(one)).sort();
  return cancel === undefined
    ? visible({ outcome, calls: inOrder(calls), said: inOrder(said) })
    : [outcome.status, outcome.code, outcome.output];
}

describe('a check that is made without a context', () => {
  it('shows nothing else than one with a context: outcomes, calls, events and log', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (one) => {
        const [bare, whole] = [
          await seenOf(one, undefined),
          await seenOf(one, (_, next) => next()),
        ];
        expect(bare).toEqual(whole);
      }),
      { seed, numRuns: 300 },
    );
    expect(withoutContext).toBeGreaterThan(300);
  });

  it('ends a check that never answers after the same time', async () => {
    const seen = async (around: PipelineOptions<string, Made>['around'] | undefined) => {
      const clock = fakeClock();
      let isOver = false;
      const running = definePipeline<string, Made>({
        produce: async () => ({ version: 0 }),
        reviewers: [criterion('stuck', () => new Promise<boolean>(() => {}))],
        timeouts: { checkMs: 20 },
        retries: 1,
        clock,
        ...(around !== undefined && { around }),
      }).run('task');
      void running.finally(() => {
        isOver = true;
      });
      for (; !isOver; await turn()) clock.advance(5);
      return running;
    };
    const [bare, whole] = [await seen(undefined), await seen((_, next) => next())];
    expect(visible(bare)).toEqual(visible(whole));
    expect(bare.reason).toContain('(timeout)');
  });
});
