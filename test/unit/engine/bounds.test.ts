import { describe, expect, it } from 'vitest';
import { fakeClock, manualLimiter, settle } from '@/testing/index.js';
import { deferred, never, passed, pipelineOf, reviewer, suspended } from './support.js';

describe('time', () => {
  it('a timeout starts when the call has its slot, not while it waits', async () => {
    const clock = fakeClock();
    const slots = manualLimiter();
    const pending = pipelineOf({
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
    const pending = pipelineOf({
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
      const pending = pipelineOf({
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
    const pending = pipelineOf({
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
    const pending = pipelineOf({
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
    const pending = pipelineOf({
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

  it('cancelling in the middle of a review keeps the best version of before', async () => {
    const controller = new AbortController();
    const texts = ['first', 'second'];
    const outcome = await pipelineOf({
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

it('the oldest loop goes first when slots are few', async () => {
  const slots = manualLimiter();
  const order: string[] = [];
  const pipeline = pipelineOf({
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

describe('nothing hangs a run for good (law 15)', () => {
  it('a reviewer that waits for a person is not given up', async () => {
    const clock = fakeClock();
    const pending = pipelineOf({
      reviewers: [
        reviewer('person', async (_, context) => {
          await context.ask('q', { question: '?', allowed: ['approve'], gaps: [] });
          return [passed('person')];
        }),
        reviewer('slow', async (_, context) => {
          await context.check(
            (await import('zod')).boolean(),
            () => new Promise<boolean>((resolve) => void clock.after(900, () => resolve(true))),
          );
          return [passed('slow')];
        }),
      ],
      clock,
      timeouts: { checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(950);
    suspended(await pending);
  });

  it('hooks that never settle are given up: telling a person, and capturing lessons', async () => {
    // loading a module takes real time, which a fake clock does not wait for
    await import('@/engine/ask-people.js');
    await import('@/engine/suspend-run.js');
    await import('@/engine/run-lessons.js');
    const clock = fakeClock();
    const asked = pipelineOf({
      criteria: { a: () => true },
      human: { policy: 'require', notify: () => never() },
      clock,
      timeouts: { checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(1000);
    suspended(await asked);
    const learned = pipelineOf({
      criteria: { a: () => true },
      learn: { relevantTo: async () => '', capture: () => never() },
      clock,
      timeouts: { checkMs: 1000 },
    }).run('task');
    await clock.advanceAsync(1000);
    expect(await learned).toMatchObject({ approved: true });
  });
});

it('what was produced is not lost when the first review never came to its end', async () => {
  const clock = fakeClock();
  const pending = pipelineOf({
    produce: async () => 'paid for',
    criteria: { a: () => never<boolean>() },
    clock,
    budget: { timeoutMs: 1000 },
  }).run('task');
  await clock.advanceAsync(1000);
  expect(await pending).toMatchObject({ status: 'timed_out', output: 'paid for', reviews: [] });
  const spent = await pipelineOf({
    produce: async (_, context) => {
      context.reportUsage({ totalTokens: 9 });
      return 'paid for';
    },
    criteria: { a: () => true },
    budget: { tokens: 5 },
  }).run('task');
  expect(spent).toMatchObject({
    status: 'exhausted',
    approved: false,
    output: 'paid for',
    reviews: [],
  });
});
