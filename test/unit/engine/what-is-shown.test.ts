import { describe, expect, it } from 'vitest';
import { checkNamed } from '../../../src/engine/decision-answers.js';
import { undecidedName } from '../../../src/engine/person-decisions.js';
import {
  definePipeline,
  type FixContext,
  memoryStore,
  type Policy,
  type ReviewerContext,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { deferred, failed, passed, reviewer } from './support.js';

describe('what a reviewer sees of its run', () => {
  it('is its id, the review, the earlier reviews and the best version, with a nonce for each', async () => {
    const seen: Pick<ReviewerContext, 'runId' | 'iteration' | 'previous' | 'best' | 'nonce'>[] = [];
    await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (output) => `${output}!`,
      reviewers: [
        reviewer<string>('sees', async ({ output }, context) => {
          const { runId, iteration, previous, best, nonce } = context;
          seen.push({ runId, iteration, previous, best, nonce });
          return [output.endsWith('!') ? passed('sees') : failed('sees')];
        }),
      ],
    }).run('task', { runId: 'r' });
    expect(seen).toMatchObject([
      { runId: 'r', iteration: 1, previous: [], best: undefined },
      {
        runId: 'r',
        iteration: 2,
        previous: [{ iteration: 1 }],
        best: { iteration: 1, output: 'x' },
      },
    ]);
    expect(seen[0]?.nonce).toMatch(/^[\da-f]{32}$/);
    expect(seen[1]?.nonce).not.toBe(seen[0]?.nonce);
  });

  it('is nothing of earlier reviews where its verdict may be reused', async () => {
    const seen: unknown[] = [];
    await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (output) => `${output}!`,
      reviewers: [
        reviewer<string>(
          'scoped',
          async (subject, { previous, best }) => {
            seen.push([subject.output, subject.iteration, previous.length, best]);
            return [subject.output.endsWith('!') ? passed('scoped') : failed('scoped')];
          },
          { scope: ({ output }) => output },
        ),
      ],
    }).run('task');
    expect(seen).toEqual([
      ['x', 1, 0, undefined],
      ['x!', 1, 0, undefined],
    ]);
  });
});

describe('a fixer', () => {
  const fixing = (fix: (output: string, context: FixContext) => Promise<string> | string) => {
    const clock = fakeClock();
    const warned: { readonly error: string; readonly code: string }[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer<string>(
          'typo',
          async ({ output }) => [output === 'y' ? passed('typo') : failed('typo')],
          { fix: (output, _gap, context) => fix(output as string, context) },
        ),
      ],
      logger: {
        ...{ debug() {}, info() {}, error() {} },
        warn: (data) => warned.push(data as never),
      },
      timeouts: { checkMs: 1000 },
      clock,
    });
    return { clock, pipeline, warned };
  };

  it('knows the task, and what it returns is the next version', async () => {
    const tasks: unknown[] = [];
    const { pipeline } = fixing((_, { task }) => {
      tasks.push(task);
      return 'y';
    });
    expect(await pipeline.run('mend it')).toMatchObject({ approved: true, output: 'y' });
    expect(tasks).toEqual(['mend it']);
  });

  it('is told of with its gap, and mends what another reviewer found against its criterion', async () => {
    const told: unknown[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer<string>('typo', async () => [passed('typo')], { fix: () => 'y' }),
        reviewer<string>('judge', async ({ output }) => [
          output === 'y'
            ? passed('judge')
            : failed('judge', 'a typo', { criterionId: 'typo', raisedBy: 'judge' }),
        ]),
      ],
    }).run('task', {
      runId: 'r',
      on: {
        'fix-apply': ({ iteration, criterion, gap }) => told.push([iteration, criterion, gap]),
      },
    });
    expect(outcome).toMatchObject({ approved: true, output: 'y' });
    expect(told).toEqual([[1, 'typo', outcome.reviews[0]?.gaps[0]?.id]]);
  });

  it('has the time of a check, and is named where it takes longer', async () => {
    const begun = deferred<void>();
    const { clock, pipeline, warned } = fixing(() => {
      begun.resolve();
      return new Promise<string>(() => {});
    });
    const pending = pipeline.run('task');
    await begun.promise;
    await clock.advanceAsync(1000);
    expect(await pending).toMatchObject({ approved: false, output: 'x' });
    expect(warned).toMatchObject([
      {
        code: 'fix_failed',
        error: expect.stringContaining("the fixer of 'typo' timed out (timeouts.checkMs: 1000)"),
      },
    ]);
  });
});

describe('a decision of a policy', () => {
  const run = (policy: Policy) =>
    definePipeline<string, string>({
      produce: async () => 'x',
      address: async (output) => `${output}!`,
      criteria: { minor: { check: () => 'no', severity: 'minor' } },
      budget: { reviews: 2 },
      policy,
    }).run('task');

  it('may accept, and revise from the best, the latest or a new version', async () => {
    expect(await run(() => ({ kind: 'accept', code: 'minor', reason: 'fine' }))).toMatchObject({
      status: 'accepted',
      code: 'minor',
    });
    for (const from of ['best', 'latest', 'anew'] as const) {
      const outcome = await run(({ iteration, review: { gaps } }) => {
        const [first, ...others] = gaps;
        if (iteration > 1 || first === undefined)
          return { kind: 'stop', status: 'escalated', code: 'seen', reason: 'r' };
        return { kind: 'revise', reason: 'r', from, blocking: [first, ...others] };
      });
      // what is produced anew is the same text again
      expect([from, outcome.code]).toEqual([from, from === 'anew' ? 'oscillation' : 'seen']);
    }
  });
});

describe('what makes no sense', () => {
  it('is told with what was given: an invalid decision', async () => {
    const given = { kind: 'approved' };
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => true },
      policy: () => given as never,
    }).run('task');
    expect(outcome.error).toMatchObject({
      code: 'policy_invalid',
      value: given,
      cause: { issues: expect.any(Array) },
    });
  });

  it('is an error of the second reviewer that assesses a criterion', async () => {
    const review = await definePipeline<string, string>({
      reviewers: ['a', 'b'].map((id) => reviewer<string>(id, async () => [failed('same')])),
      retries: 0,
    }).review('task', 'x');
    expect(review.assessments).toMatchObject([
      { verdict: 'fail', criterion: 'same' },
      { verdict: 'errored', criterion: 'b/same', error: { code: 'duplicate_id' } },
    ]);
    expect(review.gaps).toHaveLength(1);
  });
});

describe('an output without content', () => {
  it('has one critical gap, and nobody is asked about it', async () => {
    const review = await definePipeline<string, string>({
      criteria: { a: () => true },
    }).review('task', ' ');
    expect(review).toMatchObject({
      assessments: [
        { verdict: 'fail', explanation: 'the output is empty' },
        { verdict: 'skipped' },
      ],
      gaps: [
        {
          severity: 'critical',
          category: 'incomplete',
          estimatedEffort: 'medium',
          autoFixable: true,
          id: expect.stringMatching(/./),
        },
      ],
    });
  });
});

describe('decisions about a question', () => {
  const question = { id: 'q', undecided: [{ criterion: 'a' }, { criterion: 'b' }] } as never;
  const decide = (decisions: object) => ({ kind: 'decide', by: 'ann', decisions }) as never;

  it('name only what it leaves open; other answers name nothing', () => {
    for (const answer of [decide({ a: 'yes' }), decide({ a: 'no', b: 'yes' })])
      expect(() => checkNamed(answer, question)).not.toThrow();
    expect(() => checkNamed({ kind: 'approve', by: 'ann' }, { id: 'q' })).not.toThrow();
    expect(() => checkNamed(decide({ a: 'yes', c: 'yes' }), question)).toThrow(
      expect.objectContaining({
        code: 'decision_unknown',
        value: ['c'],
        what: 'question q does not leave c undecided; it leaves a, b',
      }),
    );
    expect(() => checkNamed(decide({ c: 'yes' }), { id: 'q' })).toThrow('it leaves nothing');
  });

  it('belong to a question whose name other open criteria change', () => {
    const name = (...criteria: readonly string[]) =>
      undecidedName({
        assessments: criteria.map((criterion) => ({
          ...{ verdict: 'undecided', criterion, reason: 'r', decidableBy: [] },
        })),
      } as never);
    expect(name('a', 'b')).toMatch(/^undecided:[\da-f]{16}$/);
    expect(new Set([name('a'), name('b'), name('a', 'b'), name('ab')]).size).toBe(4);
  });
});

describe('the log of a run', () => {
  it('tells of each review', async () => {
    const told: unknown[] = [];
    await definePipeline<string, string>({
      name: 'essay',
      produce: async () => 'x',
      criteria: { a: () => 'no' },
      store: memoryStore(),
      logger: {
        ...{ debug() {}, warn() {}, error() {} },
        info: (data: unknown, text: string) => told.push([text, data]),
      },
      budget: { reviews: 1 },
    }).run('task', { runId: 'r' });
    expect(told).toEqual([
      [
        'review finished',
        { run: 'r', pipeline: 'essay', iteration: 1, overall: 0.6, gaps: 1, decision: 'revise' },
      ],
    ]);
  });
});
