import { beforeAll, describe, expect, it } from 'vitest';
import { definePipeline, type Policy, type Reviewer } from '../../../src/index.js';
import { fakeClock, manualLimiter, settle } from '../../../src/testing/index.js';
import { deferred, failed, loadEngine, never, passed, reviewer } from './support.js';

beforeAll(loadEngine);

describe('time', () => {
  it('a timeout starts when the call has its slot, not while it waits', async () => {
    const clock = fakeClock();
    const slots = manualLimiter();
    const pending = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: async () => true },
      clock,
      limiter: slots,
      timeouts: { produceMs: 1000, checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(60_000);
    slots.open(2);
    expect(await pending).toMatchObject({ approved: true });
  });

  it('the deadline of a run includes the queue, and gives the best version so far', async () => {
    const clock = fakeClock();
    const slots = manualLimiter();
    const pending = definePipeline<string, string>({
      produce: async () => 'x',
      address: () => never(),
      criteria: { a: () => 'no' },
      clock,
      limiter: slots,
      budget: { timeoutMs: 5000 },
    }).run('task');
    slots.open(2);
    await clock.advanceAsync(5000);
    expect(await pending).toMatchObject({
      status: 'timed_out',
      code: 'run_timed_out',
      output: 'x',
    });
    expect(clock.pending).toBe(0);
  });

  it.each([-3_600_000, 3_600_000])(
    'a timeout means the same when the time of the machine is set by %i ms meanwhile',
    async (set) => {
      const inner = fakeClock();
      let off = 0;
      const clock = { ...inner, now: () => inner.now() + off, elapsed: inner.now };
      const [slow, asked] = [deferred<boolean>(), deferred<void>()];
      const checks = {
        a: () => slow.promise,
        b: () => {
          asked.resolve();
          return never<boolean>();
        },
      };
      const pending = definePipeline<string, string>({
        produce: async () => 'x',
        criteria: checks,
        clock,
        retries: 0,
        timeouts: { checkMs: 1000, reviewMs: 5000 },
      }).run('task');
      await asked.promise;
      await inner.advanceAsync(10);
      off = set;
      slow.resolve(true);
      await inner.advanceAsync(990);
      expect(await pending).toMatchObject({
        status: 'inconclusive',
        reviews: [{ assessments: [{ verdict: 'pass' }, { error: { code: 'timeout' } }] }],
      });
      expect(inner.pending).toBe(0);
    },
  );

  it('an iteration has a time of its own for the review and the fix after it', async () => {
    const clock = fakeClock();
    const pending = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => never() },
      clock,
      retries: 0,
      timeouts: { iterationMs: 2000 },
    }).run('task');
    await clock.advanceAsync(2000);
    expect(await pending).toMatchObject({
      status: 'inconclusive',
      reviews: [{ assessments: [{ error: { code: 'timeout' } }] }],
    });
  });

  it('a review has a time of its own: what is out is given up, and what waits for a slot is not begun', async () => {
    const clock = fakeClock();
    const slots = manualLimiter();
    slots.open(2);
    let begun = 0;
    const check = (): Promise<boolean> => {
      begun += 1;
      return never();
    };
    const pending = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: check, b: check, c: check },
      clock,
      limiter: slots,
      timeouts: { reviewMs: 2000 },
    }).run('task');
    await clock.advanceAsync(2000);
    const outcome = await pending;
    expect(outcome.status).toBe('inconclusive');
    expect(clock.pending).toBe(0);
    expect(
      outcome.reviews[0]!.assessments.map(
        (assessment) => 'error' in assessment && assessment.error.code,
      ),
    ).toEqual(['timeout', 'timeout', 'timeout']);
    expect(begun).toBe(1);
  });

  it('a signal ends the run at once, tells the calls that are out, and frees their slots', async () => {
    const controller = new AbortController();
    const slots = manualLimiter();
    const told = deferred<unknown>();
    const pending = definePipeline<string, string>({
      produce: async (_, { signal }) => {
        signal.addEventListener('abort', () => told.resolve(signal.reason));
        return never<string>();
      },
      criteria: { a: () => true },
      limiter: slots,
    }).run('task', { signal: controller.signal });
    slots.open();
    await settle();
    controller.abort(new Error('enough'));
    expect(await pending).toMatchObject({
      status: 'cancelled',
      code: 'cancelled',
      output: undefined,
    });
    expect(await told.promise).toMatchObject({ code: 'cancelled' });
    await settle();
    expect(slots.running).toBe(0);
  });

  it('a signal that is aborted beforehand lets nothing start', async () => {
    let produced = 0;
    const pipeline = definePipeline<string, string>({
      produce: async () => {
        produced += 1;
        return 'x';
      },
      criteria: { a: () => true },
    });
    expect(await pipeline.run('task', { signal: AbortSignal.abort() })).toMatchObject({
      status: 'cancelled',
    });
    await expect(
      pipeline.review('task', 'x', { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    expect(produced).toBe(0);
  });

  it('cancelling in the middle of a review keeps the best version of before', async () => {
    const controller = new AbortController();
    const texts = ['first', 'second'];
    const outcome = await definePipeline<string, string>({
      produce: async () => texts.shift() ?? '',
      address: async () => texts.shift() ?? '',
      criteria: {
        a: (text) => {
          if (text === 'second') {
            controller.abort();
            return never<boolean>();
          }
          return 'no';
        },
      },
    }).run('task', { signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'cancelled', output: 'first' });
  });
});

describe('the oldest loop goes first', () => {
  it('when slots are few', async () => {
    const slots = manualLimiter();
    const order: string[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async (task) => {
        order.push(`${task}:produce`);
        return task;
      },
      criteria: {
        a: async (task) => {
          order.push(`${task}:check`);
          return true;
        },
      },
      limiter: slots,
    });
    const old = pipeline.run('old');
    const young = pipeline.run('young');
    await settle();
    slots.open();
    await settle();
    slots.open();
    await settle();
    slots.open(2);
    await Promise.all([old, young]);
    expect(order).toEqual(['old:produce', 'old:check', 'young:produce', 'young:check']);
  });
});

describe('budgets', () => {
  const spending = (usage: object, budget: object) =>
    definePipeline<string, string>({
      produce: async (_, context) => {
        context.reportUsage(usage);
        return 'v0';
      },
      address: async (text, _gaps, context) => {
        context.reportUsage(usage);
        return `${text}+`;
      },
      criteria: {
        never: (text) => `${text} is not enough`,
        grows: (text) => ({ passed: false, score: text.length / 100, details: 'short' }),
      },
      budget: { reviews: 10, ...budget },
    });

  it('tokens end the run as exhausted, with the best reviewed version', async () => {
    const outcome = await spending({ totalTokens: 40 }, { tokens: 100 }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens', output: 'v0+' });
    expect(outcome.reviews).toHaveLength(2);
    expect(outcome.usage.address.totalTokens).toBe(80);
  });

  it('money does too', async () => {
    expect(await spending({ costUsd: 1 }, { costUsd: 2 }).run('task')).toMatchObject({
      status: 'exhausted',
      code: 'budget_cost',
      output: 'v0',
    });
  });

  it('a budget that nothing reports towards warns once, and unknown is not zero', async () => {
    const pipeline = spending({}, { tokens: 10, reviews: 2 });
    const warnings: string[] = [];
    pipeline.on('budget-warn', ({ message }) => warnings.push(message));
    const outcome = await pipeline.run('task');
    expect(warnings).toHaveLength(1);
    expect(outcome.usage.produce.totalTokens).toBeUndefined();
  });

  it('usage that is no usage is the caller’s error', async () => {
    expect(await spending({ totalTokens: -1 }, {}).run('task')).toMatchObject({
      status: 'failed',
      code: 'invalid_options',
    });
  });

  it('without progress the loop ends although iterations are left', async () => {
    let attempt = 0;
    const outcome = await definePipeline<string, string>({
      produce: async () => 'v',
      address: async (text) => `${text}${++attempt}`,
      criteria: { never: () => 'no' },
      budget: { reviews: 10 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'gap_unfixed' });
    expect(outcome.reviews).toHaveLength(3);
  });

  it('an attempt that makes a rejected version again is not reviewed again', async () => {
    const outcome = await definePipeline<string, string>({
      produce: async () => 'v',
      address: async (text) => `${text}+`,
      criteria: { never: () => 'no' },
      budget: { reviews: 10 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'oscillation', output: 'v' });
    expect(outcome.reviews).toHaveLength(2);
  });

  it('a gap whose criterion gets better with every attempt is progress', async () => {
    const outcome = await definePipeline<string, string>({
      produce: async () => 'a',
      address: async (text) => `${text}a`,
      criteria: {
        long: (text) => ({
          passed: text.length >= 6,
          score: Math.min(1, text.length / 6),
          details: `${text.length} of 6`,
        }),
      },
      budget: { reviews: 10 },
    }).run('task');
    expect(outcome).toMatchObject({ approved: true, output: 'aaaaaa' });
  });

  it('attempts that break more than they repair end the run as stalled, with the best version', async () => {
    const texts = ['abc', 'xa', 'xb'];
    const outcome = await definePipeline<string, string>({
      produce: async () => texts.shift() ?? '',
      address: async () => texts.shift() ?? '',
      criteria: {
        a: (t) => t.includes('a'),
        b: (t) => t.includes('b'),
        c: (t) => t.includes('c'),
        x: (t) => t.includes('x'),
      },
      budget: { reviews: 10 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'harmful', output: 'abc' });
  });
});

describe('policies that misbehave', () => {
  const run = (policy: Policy, more: object = {}) =>
    definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => 'no' },
      policy,
      ...more,
    }).run('task');

  it('one that throws makes the run fail with the version', async () => {
    expect(
      await run(() => {
        throw new Error('bug');
      }),
    ).toMatchObject({ status: 'failed', code: 'policy_failed', output: 'x' });
  });

  it('one without opinion never approves', async () => {
    expect(await run(() => undefined)).toMatchObject({ status: 'exhausted', code: 'no_address' });
    expect(await run(() => undefined, { criteria: { a: () => true } })).toMatchObject({
      status: 'inconclusive',
      code: 'no_decision',
    });
  });

  it('one that approves although a judge failed, or nothing was judged, is overruled', async () => {
    const always: Policy = () => ({ kind: 'approve', reason: 'why not' });
    expect(
      await run(always, {
        criteria: {
          a: () => {
            throw new Error('x');
          },
        },
      }),
    ).toMatchObject({ status: 'inconclusive', code: 'judge_failed' });
    const skipping: Reviewer<unknown, string> = reviewer('s', async () => [
      { verdict: 'skipped', criterion: 's', reason: 'not applicable' },
    ]);
    expect(await run(always, { criteria: {}, reviewers: [skipping] })).toMatchObject({
      status: 'inconclusive',
      code: 'nothing_judged',
    });
  });

  it('one that revises for nothing is stopped', async () => {
    const nothing = (() => ({
      kind: 'revise',
      reason: 'r',
      from: 'best',
      blocking: [],
    })) as unknown as Policy;
    expect(await run(nothing)).toMatchObject({ status: 'stalled', code: 'nothing_to_revise' });
  });
});

describe('stages', () => {
  const staged = (code: boolean, model: boolean, more: object = {}) => {
    const asked: string[] = [];
    const stage = (id: 'code' | 'model' | 'confirm', passes: boolean) =>
      reviewer<string>(
        id,
        async () => {
          asked.push(id);
          return [passes ? passed(id) : failed(id)];
        },
        { tier: id },
      );
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [stage('confirm', true), stage('model', model), stage('code', code)],
      ...more,
    });
    return { pipeline, asked };
  };

  it('run in order, each only while approval is possible; the others are reported as skipped', async () => {
    const all = staged(true, true);
    expect(await all.pipeline.run('task')).toMatchObject({ approved: true });
    expect(all.asked).toEqual(['code', 'model', 'confirm']);
    const none = staged(false, true);
    const outcome = await none.pipeline.run('task');
    expect(none.asked).toEqual(['code']);
    expect(outcome.reviews[0]).toMatchObject({ complete: false, scores: { judged: 1, total: 3 } });
    expect(outcome.reviews[0]?.assessments.map(({ verdict }) => verdict)).toEqual([
      'fail',
      'skipped',
      'skipped',
    ]);
  });

  it('can all be asked, but a confirming judge is never asked in vain', async () => {
    const { pipeline, asked } = staged(false, true, { failFast: false });
    await pipeline.run('task');
    expect(asked).toEqual(['code', 'model']);
  });

  it('a minor gap of a code check leaves approval possible', async () => {
    const asked: string[] = [];
    await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('code', async () => [failed('code', 'small', { severity: 'minor' })]),
        reviewer(
          'model',
          async () => {
            asked.push('model');
            return [passed('model')];
          },
          { tier: 'model' },
        ),
      ],
    }).run('task');
    expect(asked).toEqual(['model']);
  });
});
