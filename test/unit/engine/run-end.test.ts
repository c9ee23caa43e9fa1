import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defined } from '@/blocks/pipeline/define-pipeline.js';
import { whyNotApproved } from '@/engine/approval.js';
import { approvalQuestion } from '@/engine/ask-people.js';
import { engineErrors } from '@/engine/errors.js';
import { checkRunOptions } from '@/engine/run-options.js';
import { startRun } from '@/engine/run-pipeline.js';
import { outcomeOf, type RunResult } from '@/engine/run-result.js';
import {
  agentRequest,
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type Policy,
  type Review,
  ReviewLoopError,
  type RunOptions,
  SelfReviewLoop,
  type StepContext,
  textOutput,
} from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { errorWith, withCode } from '../../support/matchers.js';
import { throwing } from '../../support/throwing.js';
import { err, fail, pass } from './policies/fixtures.js';
import {
  deferred,
  failed,
  failing,
  type Loop,
  listenersOf,
  never,
  passed,
  passing,
  pipelineOf,
  reviewer,
  suspended,
  untilNoGap,
} from './support.js';

const run = (more: Loop = {}) =>
  pipelineOf({ produce: async () => 'draft', criteria: { a: () => 'no' }, ...more }).run('task');

describe('how a run ends', () => {
  it('is an approval if the policy approves, with its reason', async () => {
    const outcome = await run({ policy: () => ({ kind: 'approve', reason: 'fine' }) });
    const end = { status: 'approved', code: 'approved', approved: true, reason: 'fine' };
    expect(outcome).toMatchObject(end);
  });

  it('is an acceptance by the policy if the reviewers only advise', async () => {
    const outcome = await run({ policy: () => ({ kind: 'accept', code: 'advice', reason: 'ok' }) });
    expect(outcome).toMatchObject({
      status: 'accepted',
      code: 'advice',
      approved: false,
      acceptance: { kind: 'advisory', by: 'policy', reason: 'ok' },
    });
  });

  it('is an acceptance without a review if there is no reviewer', async () => {
    const definition = defined<string, string>({ produce: async () => 'draft' });
    expect(await startRun(definition, 'task')).toMatchObject({
      status: 'accepted',
      code: 'not_reviewed',
      approved: false,
      output: 'draft',
      reviews: [],
      acceptance: { kind: 'not_reviewed', by: 'configuration' },
    });
  });

  it('is what the policy says about a bad version, also where the budget is used up', async () => {
    const ending = (status: 'rejected' | 'inconclusive') =>
      run({
        criteria: {},
        judge: async (_, context) => {
          context.reportUsage({ totalTokens: 10 });
          return [failed('spends')];
        },
        budget: { tokens: 10 },
        policy: () => ({ kind: 'stop', status, code: 'bad', reason: 'bad' }),
      });
    expect(await ending('rejected')).toMatchObject({ status: 'rejected', code: 'bad' });
    expect(await ending('inconclusive')).toMatchObject({
      status: 'exhausted',
      code: 'budget_tokens',
      output: 'draft',
    });
  });
});

describe('a person who wants a change', () => {
  const asks: Policy = ({ review: { iteration } }) => ({
    kind: 'ask',
    reason: 'risky',
    question: `version ${iteration}?`,
    allowed: ['revise', 'reject', 'skip'],
  });

  it('gets it, although the reviews of the budget are done', async () => {
    const pipeline = pipelineOf({
      produce: async () => 'draft',
      address: async (text, _gaps, { note }) => `${text}, ${note}`,
      criteria: { a: () => 'no' },
      policy: asks,
      budget: { reviews: 1 },
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const next = await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'shorter' });
    expect(suspended(next)).toMatchObject({ output: 'draft, shorter', reviews: [{}, {}] });
  });
});

describe('the best version', () => {
  /** Runs with a reviewer who asks a person about the first version; then two more versions follow. */
  const afterAnswer = async (...texts: readonly string[]) => {
    const left = [...texts];
    const store = memoryStore();
    const pipeline = pipelineOf({
      produce: async () => 'first',
      address: async () => left.shift() ?? 'end',
      judge: async ({ output }, context) => {
        if (output === 'first')
          await context.ask('opinion', { question: 'Good?', allowed: ['approve', 'reject'] });
        return [failed('a', 'wrong', { severity: output === 'worse' ? 'critical' : 'minor' })];
      },
      policy: ({ review: { iteration, gaps } }) =>
        iteration === 2
          ? { kind: 'stop', status: 'rejected', code: 'bad', reason: 'bad' }
          : { kind: 'revise', reason: 'on', from: 'best', blocking: [gaps[0]!] },
      store,
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    return pipeline.answer(request, { kind: 'reject', by: 'Ann' });
  };

  it('is the later one of two equal ones, if a person answered about the first', async () => {
    expect(await afterAnswer('second')).toMatchObject({ status: 'rejected', output: 'second' });
  });

  it('is the first one, if what followed the answer is worse', async () => {
    expect(await afterAnswer('worse')).toMatchObject({ status: 'rejected', output: 'first' });
  });
});

it('the task cannot be changed by a reviewer, whether a schema reads it or not', async () => {
  const frozen: boolean[] = [];
  const options: PipelineOptions<{ items: string[] }, string> = {
    produce: async () => 'x',
    reviewers: [
      {
        ...{ id: 'a', version: '1', tier: 'code' },
        review: async ({ task }) => {
          frozen.push(Object.isFrozen(task), Object.isFrozen(task.items));
          return [passed('a')];
        },
      },
    ],
  };
  const items = ['tea'];
  await definePipeline(options).run({ items });
  const task = z.object({ items: z.array(z.string()) });
  await definePipeline({ ...options, task }).run({ items });
  expect(frozen).toEqual([true, true, true, true]);
  expect(Object.isFrozen(items)).toBe(false);
});

describe('a run that is cancelled', () => {
  it('before it begins does nothing, and says why', async () => {
    const cause = new Error('closed');
    let made = 0;
    const produce = async () => {
      made += 1;
      return 'x';
    };
    const signal = AbortSignal.abort(cause);
    const outcome = await pipelineOf({ produce }).run('task', { runId: 'r', signal });
    expect(outcome).toMatchObject({ status: 'cancelled', code: 'cancelled', error: { cause } });
    expect(outcome.reason).toContain('closed');
    expect(made).toBe(0);
  });

  it('while it times out says what came first', async () => {
    for (const [first, status] of [
      ['signal', 'cancelled'],
      ['clock', 'timed_out'],
    ] as const) {
      const clock = fakeClock();
      const stop = new AbortController();
      const begun = deferred<void>();
      const produce = () => {
        begun.resolve();
        return never<never>();
      };
      const running = pipelineOf({ produce, budget: { timeoutMs: 1000 }, clock }).run('task', {
        signal: stop.signal,
      });
      await begun.promise;
      if (first === 'signal') stop.abort();
      clock.advance(1000);
      stop.abort();
      expect(await running).toMatchObject({ status });
    }
  });
});

it('a run that is over listens to no signal and keeps no timer', async () => {
  const clock = fakeClock();
  const { signal } = new AbortController();
  const listeners = listenersOf(signal);
  const during: number[] = [];
  const produce = async () => {
    during.push(listeners(), clock.pending);
    return 'x';
  };
  const pipeline = pipelineOf({ produce, budget: { timeoutMs: 1000 }, clock });
  const outcome = await pipeline.run('task', { signal });
  expect(outcome.status).toBe('approved');
  expect(during.every((count) => count > 0)).toBe(true);
  expect([listeners(), clock.pending]).toEqual([0, 0]);
});

it('the event for the beginning of a review has the version, its place and the number of reviewers', async () => {
  const told: unknown[] = [];
  const versions: unknown[] = [];
  await pipelineOf({
    address: async () => 'good',
    criteria: { a: (output) => output === 'good' || 'bad', b: () => true },
  }).run('task', {
    runId: 'r',
    on: {
      'version-produce': ({ digest, iteration }) => versions.push({ digest, iteration }),
      'review-start': (event) => told.push(event),
    },
  });
  expect(versions).toHaveLength(2);
  expect(told).toEqual(
    versions.map((version) => expect.objectContaining({ ...(version as object), reviewers: 2 })),
  );
});

it('the context of produce and address says which run and which review it belongs to', async () => {
  const seen: unknown[] = [];
  const note = ({ runId, iteration, lessons }: Record<string, unknown>) =>
    seen.push([runId, iteration, lessons]);
  await pipelineOf({
    produce: async (_, context) => {
      note({ ...context });
      return '0';
    },
    address: async (output, _, context) => {
      note({ ...context });
      return `${Number(output) + 1}`;
    },
    criteria: { high: (output) => output === '2' || 'too low' },
    policy: untilNoGap,
    learn: { relevantTo: async () => 'be brief' },
  }).run('task', { runId: 'r' });
  expect(seen).toEqual([
    ['r', 1, 'be brief'],
    ['r', 1, 'be brief'],
    ['r', 2, 'be brief'],
  ]);
});

const question = { question: 'Which tea?', allowed: ['approve'], gaps: [] } as const;

/** What `produce` does, and the outcome of its run. */
const producing = (
  produce: (context: StepContext) => Promise<string>,
  more: Partial<PipelineOptions<string, string>> = {},
  run: RunOptions = {},
) =>
  pipelineOf({ produce: (_, context) => produce(context), ...more }).run('task', {
    runId: 'r',
    ...run,
  });

const endOf = async (...given: Parameters<typeof producing>) => {
  const { status, code } = await producing(...given);
  return `${status} ${code}`;
};

/** The same, for a run that the caller cancels as soon as `produce` is over. */
async function endOfCancelled(...[produce, more]: Parameters<typeof producing>) {
  const stop = new AbortController();
  const on = { 'produce-end': () => stop.abort() };
  return (await producing(produce, more, { signal: stop.signal, on })).status;
}

const asks = async (context: StepContext): Promise<string> => {
  const { kind } = await context.ask('tea', { ...question, allowed: ['approve'] });
  return kind;
};

const reserves = async (context: StepContext): Promise<string> => {
  context.budget.reserve({ totalTokens: 50 });
  return 'x';
};

const spends = async (context: StepContext): Promise<string> => {
  context.reportUsage({ totalTokens: 50 });
  throw new Error('no ink');
};

const interrupt = Object.assign(new Error('interrupted'), { is_bubble_up: true });

const budget = { tokens: 10 } as const;

describe('a run whose produce fails', () => {
  it('is exhausted where the budget refused what it was about to use', async () => {
    expect(await endOf(reserves, { budget })).toBe('exhausted budget_tokens');
    expect(await endOf(reserves, { budget: { tokens: 50 } })).toBe('approved approved');
  });

  it('has failed where it failed in another way, whatever it used', async () => {
    expect(await endOf(spends, { budget })).toBe('failed produce_failed');
  });

  it('has failed where a limit that is not of this run was passed', async () => {
    const limit = new ReviewLoopError('budget_exceeded', 'a limit of the caller');
    expect(await endOf(() => Promise.reject(limit))).toBe('failed budget_exceeded');
  });

  it('is exhausted, and not waiting, where it asks after it used up the budget', async () => {
    const work = (context: StepContext): Promise<string> => {
      context.reportUsage({ totalTokens: 50 });
      return asks(context);
    };
    expect(await endOf(work, { budget })).toBe('exhausted budget_tokens');
    expect(await endOf(work)).toBe('suspended waiting');
  });
});

it('a run that was cancelled says so, though it waits, lacks budget or is paused', async () => {
  expect(await endOfCancelled(asks)).toBe('cancelled');
  expect(await endOfCancelled(reserves, { budget })).toBe('cancelled');
  expect(await endOfCancelled(() => Promise.reject(interrupt))).toBe('cancelled');
});

it('a run whose ranking throws has failed with what it threw, and the best version so far', async () => {
  const broken = new Error('no order');
  const outcome = await pipelineOf({
    produce: async () => 'first',
    address: async () => 'second',
    criteria: { a: () => 'no' },
    ranking: throwing(broken),
  }).run('task');
  expect(outcome).toMatchObject({
    status: 'failed',
    code: 'policy_failed',
    output: 'first',
    error: { cause: broken },
  });
});

it('a run whose review is switched off accepts its first version, and says who decided that', async () => {
  const request = agentRequest({ id: 't', description: 'a poem', acceptanceCriteria: ['tea'] });
  const make = async () => textOutput('coffee');
  const { outcome } = await new SelfReviewLoop([], { enabled: false }).execute(request, make, make);
  const reason = expect.stringContaining('off');
  expect(outcome).toMatchObject({
    status: 'accepted',
    approved: false,
    code: 'not_reviewed',
    reason,
    reviews: [],
    acceptance: { kind: 'not_reviewed', by: 'configuration', reason },
  });
});

const used = { produce: { totalTokens: 1 }, review: {}, address: { costUsd: 2 } };

const review = (version: string, iteration: number) =>
  ({ version, iteration }) as unknown as Review;

const version = { digest: 'd', iteration: 1, parent: undefined, output: 'x', tree: undefined };

const why = { code: 'c', reason: 'why' };

const outcome = (result: RunResult<string>, more: object = {}) =>
  outcomeOf({ id: 'r', reviews: [], ledger: { usage: used }, ...more }, result);

describe('an outcome', () => {
  const base = { runId: 'r', ...why, reviews: [], usage: used };

  it('has the members of its status, and none that is unknown', () => {
    expect(outcome({ ...why, status: 'approved', version })).toStrictEqual({
      ...{ ...base, status: 'approved', approved: true, output: 'x', version: 'd' },
    });
    const acceptance = { kind: 'advisory', by: 'policy', reason: 'fine' } as const;
    expect(outcome({ ...why, status: 'accepted', version, acceptance })).toStrictEqual({
      ...{ ...base, status: 'accepted', approved: false, output: 'x', version: 'd', acceptance },
    });
    expect(outcome({ ...why, status: 'stalled', version: undefined })).toStrictEqual({
      ...{ ...base, status: 'stalled', approved: false, output: undefined },
    });
  });

  it('has the tree, the error, the person and what changed where there are any', () => {
    const error = new ReviewLoopError('cancelled', 'enough');
    const changed = ['the settings changed'];
    const whole = { ...version, tree: 't' };
    const by = { error, decidedBy: 'Ann' };
    const result = { ...why, status: 'cancelled', version: whole, ...by } as const;
    expect(outcome(result, { changed })).toStrictEqual({
      ...{ ...base, status: 'cancelled', approved: false, output: 'x', version: 'd' },
      ...{ workspace: 't', ...by, changed },
    });
  });

  it('has the last review of its version', () => {
    const reviews = [review('d', 1), review('e', 2), review('d', 3), review('f', 4)];
    const result = { ...why, status: 'stalled', version } as const;
    expect(outcome(result, { reviews }).review).toBe(reviews[2]);
    const other = outcome({ ...result, version: { ...version, digest: 'g' } }, { reviews });
    expect(other).not.toHaveProperty('review');
  });

  it('of a run is about the version that it returns', async () => {
    const run = await pipelineOf({
      produce: async () => 'good',
      address: async () => 'worse',
      reviewers: [
        reviewer('a', async ({ output }) =>
          output === 'good' ? [failed('a')] : [failed('a'), failed('b')],
        ),
        passing('c'),
      ],
      budget: { reviews: 2 },
    }).run('task');
    expect(run).toMatchObject({ output: 'good', reviews: [{ iteration: 1 }, { iteration: 2 }] });
    expect(run.review).toBe(run.reviews[0]);
    expect(run.version).toBe(run.reviews[0]?.version);
  });
});

it('errors of the engine have the kind of who can remove the cause', () => {
  const codes = (kind: string) => {
    const found = Object.values(engineErrors).filter((entry) => entry.kind === kind);
    return found.map(({ code }) => code).sort();
  };
  expect(codes('usage')).toEqual([
    ...['answer_invalid', 'answer_not_allowed', 'approval_open', 'decision_stale'],
    ...['decision_unknown', 'no_version', 'override_stale', 'reason_required'],
    ...['request_answered', 'request_expired', 'request_stale', 'request_unknown', 'run_unknown'],
  ]);
  expect(codes('environment')).toEqual(['released', 'suspended']);
  expect(codes('bug')).toEqual([
    ...['address_failed', 'address_invalid', 'agent_interrupted', 'ask_needs_run'],
    ...['fix_failed', 'policy_invalid', 'produce_failed', 'produce_invalid'],
  ]);
  expect(codes('input')).toEqual(['output_invalid']);
});

describe('a review that allows no approval', () => {
  const finding = (complete: boolean, ...assessments: readonly object[]) =>
    whyNotApproved({ complete, assessments, gaps: [] } as never);

  it('has a judge that failed, one that was not asked, or no verdict at all', () => {
    expect(finding(true, pass('a'), err('b'))).toMatchObject({ code: 'judge_failed' });
    const skipped = { verdict: 'skipped', criterion: 'b', reason: 'r' };
    expect(finding(false, pass('a'), skipped)).toMatchObject({
      kind: 'stop',
      status: 'inconclusive',
      code: 'incomplete',
      reason: 'review incomplete: 1 of 2 reviewers not asked',
    });
    expect(finding(true)).toMatchObject({ code: 'nothing_judged' });
    expect(finding(true, pass('a'))).toBeUndefined();
    expect(finding(true, pass('a'), fail('b'))).toBeUndefined();
  });
});

describe('options of a run', () => {
  it('may name a listener without a value, and no other', () => {
    expect(() => checkRunOptions({ on: { 'run-end': undefined } })).not.toThrow();
    for (const on of [{ 'run-end': 'x' }, { 'run-ends': () => {} }])
      expect(() => checkRunOptions({ on: on as never })).toThrow(withCode('invalid_options'));
  });

  it('are a run id, a store and a signal', () => {
    expect(() => checkRunOptions({ id: 'r' } as never)).toThrow(
      'run has no option `id`; it has runId, store, signal',
    );
    for (const signal of [null, {}, 'stop'])
      expect(() => checkRunOptions({ signal: signal as never })).toThrow(
        expect.objectContaining(errorWith('invalid_options', '`signal`')),
      );
    expect(() => checkRunOptions({ signal: new AbortController().signal })).not.toThrow();
    expect(() => checkRunOptions({ signal: undefined })).not.toThrow();
  });
});

it('the question after an approval is asked where a person decides, who may skip it unless it is required', () => {
  expect(approvalQuestion({}, { reason: 'r' })).toBeUndefined();
  expect(approvalQuestion({ policy: 'auto' }, { reason: 'r' })).toBeUndefined();
  expect(approvalQuestion({ policy: 'require' }, { reason: 'r' })).toMatchObject({
    kind: 'ask',
    reason: 'r',
    question: expect.stringContaining('r'),
    allowed: ['approve', 'reject', 'revise'],
  });
  expect(approvalQuestion({ policy: 'offer' as never }, { reason: 'r' })).toMatchObject({
    allowed: ['approve', 'reject', 'revise', 'skip'],
  });
});

it('an approval without all judges says how many were not asked', async () => {
  const outcome = await pipelineOf({
    reviewers: [failing('a'), passing('b'), passing('c', { tier: 'model' })],
    policy: ({ review }) =>
      review.complete
        ? { kind: 'stop', status: 'rejected', code: 'no', reason: 'no' }
        : { kind: 'approve', reason: 'fine' },
  }).run('task');
  expect(outcome).toMatchObject({ status: 'inconclusive', code: 'incomplete' });
  expect(outcome.reason).toContain('1 of 3');
});
