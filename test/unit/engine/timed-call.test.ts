import { describe, expect, it } from 'vitest';
import { CallRunner } from '../../../src/engine/call-runner.js';
import { isThenable, type LeafWork, TimedCall } from '../../../src/engine/timed-call.js';
import { ReviewLoopError } from '../../../src/index.js';
import { fakeClock, manualLimiter, settle } from '../../../src/testing/index.js';
import { deferred, never } from './support.js';

/** One call, what it became, and whether its slot is free. */
function made<Value>(
  work: LeafWork<Value>,
  {
    label = 'produce',
    timeoutMs = 1000 as number | undefined,
    ends = Number.POSITIVE_INFINITY,
  } = {},
) {
  const clock = fakeClock();
  const said: { value?: Value; error?: ReviewLoopError; forgotten: number; free?: true } = {
    forgotten: 0,
  };
  const call = new TimedCall<Value>(
    { label, timeoutMs },
    {
      clock,
      forget: () => {
        said.forgotten += 1;
      },
    },
    (value) => {
      said.value = value;
    },
    (error) => {
      said.error = error as ReviewLoopError;
    },
  );
  const start = (): void => {
    void call.start(work, ends).then(() => {
      said.free = true;
    });
  };
  return { call, clock, said, start };
}

describe('a call that takes too long', () => {
  it.each([
    ['produce', 'produce timed out (timeouts.produceMs: 1000)'],
    ['iter:3/produce', 'produce timed out after review 3 (timeouts.produceMs: 1000)'],
    ['iter:12/address/step', 'address timed out after review 12 (timeouts.addressMs: 1000)'],
    ['iter:2/review:judge', "'judge' timed out in review 2 (timeouts.checkMs: 1000)"],
    ['iter:2/review:judge/call/x', "'judge' timed out in review 2 (timeouts.checkMs: 1000)"],
    ['fix:typo', "the fixer of 'typo' timed out (timeouts.checkMs: 1000)"],
    ['lessons', 'lessons timed out (timeouts.checkMs: 1000)'],
    ['produce/review:judge', 'produce timed out (timeouts.produceMs: 1000)'],
    ['produce/iter:3/address', 'produce timed out (timeouts.produceMs: 1000)'],
    ['iter:3/produce/a\nb', 'produce timed out after review 3 (timeouts.produceMs: 1000)'],
  ])('named %s says who, where and which option: %s', async (label, what) => {
    const { call, said, start } = made(() => never(), { label });
    start();
    expect(call.deadline).toBe(1000);
    call.expire('timeout');
    await settle();
    const error = { code: 'timeout', what, retryable: true };
    expect(said).toMatchObject({ error, forgotten: 1, free: true });
  });

  it('names the time of the review where that is shorter', () => {
    const { call, clock, said, start } = made(() => never(), { ends: 400 });
    clock.advance(100);
    start();
    expect(call.deadline).toBe(400);
    call.expire('timeout');
    expect(said.error?.what).toBe('produce timed out (timeouts.reviewMs or timeouts.iterationMs)');
    const untimed = made(() => never(), { timeoutMs: undefined, ends: 400 });
    untimed.start();
    untimed.call.expire('timeout');
    expect(untimed.said.error?.what).toContain('(timeouts.reviewMs or timeouts.iterationMs)');
  });

  it('and waits for its slot was not started', async () => {
    const { call, said, start } = made(() => 'x', { label: 'iter:2/review:judge' });
    expect(call.deadline).toBe(Number.POSITIVE_INFINITY);
    call.expire('timeout');
    expect(said.error).toMatchObject({
      code: 'timeout',
      what: "'judge' was not started in review 2: no time left (timeouts.reviewMs or timeouts.iterationMs)",
    });
    call.expire('timeout');
    start();
    await settle();
    expect(said).toMatchObject({ forgotten: 1, free: true });
    expect('value' in said).toBe(false);
  });

  it('blocked the event loop, if it is synchronous or its beginning is', () => {
    for (const result of ['x', never<string>()]) {
      const { clock, said, start } = made(() => {
        clock.advance(1500);
        return result;
      });
      start();
      expect(said.error).toMatchObject({
        code: 'event_loop_blocked',
        retryable: false,
        what: 'produce blocked the event loop for 1500 ms (timeouts.produceMs: 1000)',
      });
    }
  });

  it('has timed out where its result comes too late, and not at the very end', async () => {
    for (const [after, error] of [
      [1000, undefined],
      [1001, { code: 'timeout' }],
    ] as const) {
      const work = deferred<string>();
      const { clock, said, start } = made(() => work.promise);
      start();
      clock.advance(after);
      work.resolve('x');
      await settle();
      if (error === undefined) expect(said).toMatchObject({ value: 'x', forgotten: 1 });
      else expect(said).toMatchObject({ error, forgotten: 1 });
    }
  });
});

describe('a call', () => {
  it('tells its work why it ended, and ignores what comes after', async () => {
    const work = deferred<string>();
    const { call, said, start } = made((given) => {
      expect(given.signal.aborted).toBe(false);
      return work.promise;
    });
    start();
    const error = new ReviewLoopError('cancelled', 'enough');
    call.fail(error);
    call.fail(new Error('late'));
    work.resolve('x');
    await settle();
    expect(call.signal).toMatchObject({ aborted: true, reason: error });
    expect(said).toEqual({ error, forgotten: 1, free: true });
  });

  it('fails with what its work throws or rejects with', async () => {
    const error = new Error('broken');
    for (const work of [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ]) {
      const { said, start } = made<string>(work);
      start();
      await settle();
      expect(said).toEqual({ error, forgotten: 1, free: true });
    }
  });

  it('holds its slot until it is settled, or gives it away early', async () => {
    const work = deferred<string>();
    const holding = made(() => work.promise);
    holding.start();
    const early = made((call) => {
      call.release();
      return work.promise;
    });
    early.start();
    const later = made(() => work.promise);
    later.start();
    await settle();
    expect([holding.said.free, early.said.free, later.said.free]).toEqual([
      undefined,
      true,
      undefined,
    ]);
    later.call.release();
    await settle();
    expect(later.said.free).toBe(true);
    expect(later.call.settled).toBe(false);
    work.resolve('x');
    await settle();
    expect([holding.said.value, later.said.value]).toEqual(['x', 'x']);
  });

  it('waits for promises of any kind, and for nothing else', () => {
    // any object that has one is a promise, also a class of the user
    const later = (value: unknown): unknown => {
      const made = new Map<string, unknown>();
      Reflect.set(made, 'the'.concat('n'), value);
      return made;
    };
    const values = [later(() => undefined), Promise.resolve(), null, 7, {}, later(1)];
    expect(values.map(isThenable)).toEqual([true, true, false, false, false, false]);
  });
});

describe('the calls of a run', () => {
  const runner = () => {
    const clock = fakeClock();
    const slots = manualLimiter();
    const calls = new CallRunner(slots, clock, () => {});
    const make = (label: string, timeoutMs?: number) => {
      const state: { code?: string } = {};
      calls
        .make({ label, timeoutMs }, () => never())
        .catch((error: ReviewLoopError) => {
          state.code = error.code;
        });
      return state;
    };
    return { calls, clock, make, slots };
  };

  it('share one timer, which is set for the next of them to end', async () => {
    const { clock, make, slots } = runner();
    slots.open(3);
    const slow = make('slow', 3000);
    const quick = make('quick', 1000);
    make('endless');
    expect(clock.pending).toBe(1);
    await clock.advanceAsync(999);
    expect([slow.code, quick.code]).toEqual([undefined, undefined]);
    await clock.advanceAsync(1);
    expect([slow.code, quick.code]).toEqual([undefined, 'timeout']);
    expect(clock.pending).toBe(1);
    await clock.advanceAsync(2000);
    expect(slow.code).toBe('timeout');
    expect(clock.pending).toBe(0);
  });

  it('end with the time of the review, also while they wait, and none begins after it', async () => {
    const { calls, clock, make, slots } = runner();
    slots.open(1);
    calls.endBy(500);
    const states = [make('out', 3000), make('waits', 3000)];
    await clock.advanceAsync(500);
    expect(states.map(({ code }) => code)).toEqual(['timeout', 'timeout']);
    const late = make('late', 3000);
    await settle();
    expect(late.code).toBe('timeout');
    calls.endBy(Number.POSITIVE_INFINITY);
    const next = make('next', 3000);
    await settle();
    expect(next.code).toBeUndefined();
  });

  it('fail when the run ends, and leave no timer behind', async () => {
    const { calls, clock, make, slots } = runner();
    slots.open(1);
    const states = [make('out', 3000), make('waits', 3000)];
    calls.end(new ReviewLoopError('cancelled', 'enough'));
    states.push(make('late', 3000));
    await settle();
    expect(states.map(({ code }) => code)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(clock.pending).toBe(0);
    slots.open(2);
    await settle();
    expect(slots.running).toBe(0);
  });
});
