import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { CallRunner } from '@/engine/call-runner.js';
import { isThenable, type LeafWork, TimedCall } from '@/engine/timed-call.js';
import { ReviewLoopError } from '@/index.js';
import { fakeClock, manualLimiter, settle } from '@/testing/index.js';
import { throwing } from '../../support/throwing.js';
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
    {
      resolve: (value) => {
        said.value = value;
      },
      reject: (error) => {
        said.error = error as ReviewLoopError;
      },
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
    ['produce', 'produce timed out: it took more than 1000 ms', 'produceMs'],
    ['iter:3/produce', 'produce timed out after review 3: it took more than 1000 ms', 'produceMs'],
    [
      'iter:12/address/step',
      'address timed out after review 12: it took more than 1000 ms',
      'addressMs',
    ],
    ['iter:2/review:judge', "'judge' timed out in review 2: it took more than 1000 ms", 'checkMs'],
    [
      'iter:2/review:judge/call/x',
      "'judge' timed out in review 2: it took more than 1000 ms",
      'checkMs',
    ],
    ['fix:typo', "the fixer of 'typo' timed out: it took more than 1000 ms", 'checkMs'],
    ['lessons', 'lessons timed out: it took more than 1000 ms', 'checkMs'],
    ['produce/review:judge', 'produce timed out: it took more than 1000 ms', 'produceMs'],
    ['produce/iter:3/address', 'produce timed out: it took more than 1000 ms', 'produceMs'],
    [
      'iter:3/produce/a\nb',
      'produce timed out after review 3: it took more than 1000 ms',
      'produceMs',
    ],
  ])('named %s says who and where, and its fix the option: %s', async (label, what, option) => {
    const { call, said, start } = made(() => never(), { label });
    start();
    expect(call.deadline).toBe(1000);
    call.expire('timeout');
    await settle();
    const fix = expect.stringContaining(`Raise \`timeouts.${option}\``);
    const error = { code: 'timeout', what, fix, retryable: true };
    expect(said).toMatchObject({ error, forgotten: 1, free: true });
  });

  it('names the time of the review where that is shorter', () => {
    const { call, clock, said, start } = made(() => never(), { ends: 400 });
    clock.advance(100);
    start();
    expect(call.deadline).toBe(400);
    call.expire('timeout');
    expect(said.error?.what).toBe('produce timed out: the time of its review was over');
    const untimed = made(() => never(), { timeoutMs: undefined, ends: 400 });
    untimed.start();
    untimed.call.expire('timeout');
    expect(untimed.said.error?.message).toContain(
      'Raise `timeouts.reviewMs` or `timeouts.iterationMs`',
    );
  });

  it('and waits for its slot was not started', async () => {
    const { call, said, start } = made(() => 'x', { label: 'iter:2/review:judge' });
    expect(call.deadline).toBe(Number.POSITIVE_INFINITY);
    call.expire('timeout');
    expect(said.error).toMatchObject({
      code: 'timeout',
      what: "'judge' was not started in review 2: no time was left",
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
        what: 'produce blocked the event loop for 1500 ms',
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
    for (const work of [throwing(error), () => Promise.reject(error)]) {
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

/** The calls of a run, and what became of each. */
function calling(start = 0) {
  const clock = fakeClock(start);
  const slots = manualLimiter();
  const failed: ReviewLoopError[] = [];
  const calls = new CallRunner(slots, clock, (error) => failed.push(error));
  const begun: string[] = [];
  const states: Record<string, string> = {};
  const make = (label: string, timeoutMs?: number, work: Promise<string> = never()): void => {
    calls
      .make({ label, timeoutMs }, () => {
        begun.push(label);
        return work;
      })
      .then(
        (value) => {
          states[label] = value;
        },
        ({ code }: ReviewLoopError) => {
          states[label] = code;
        },
      );
  };
  return { clock, slots, calls, begun, states, make, failed };
}

describe('a call among others', () => {
  it('begins when it has a slot, at once where one is free', async () => {
    const { begun, slots, make, states } = calling();
    slots.open(1);
    make('first', 1000, Promise.resolve('done'));
    expect(begun).toEqual(['first']);
    await settle();
    make('second', 1000, Promise.resolve('done'));
    expect(begun).toEqual(['first']);
    slots.open(1);
    await settle();
    expect(begun).toEqual(['first', 'second']);
    expect(states).toEqual({ first: 'done', second: 'done' });
    expect(slots.running).toBe(0);
  });

  it('that waited for its slot has its whole time, and its own context', async () => {
    const { clock, slots, make, states, calls } = calling(7000);
    const place = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    place.run('mine', () => {
      void calls.make({ label: 'watched', timeoutMs: undefined }, async () => {
        seen.push(place.getStore());
      });
    });
    make('late', 1000);
    await clock.advanceAsync(5000);
    place.run('of another', () => slots.open(2));
    await settle();
    expect(seen).toEqual(['mine']);
    await clock.advanceAsync(999);
    expect(states).toEqual({});
    await clock.advanceAsync(1);
    expect(states).toEqual({ late: 'timeout' });
  });

  it('without a time sets no timer', async () => {
    const { clock, slots, make } = calling();
    slots.open(2);
    make('endless');
    expect(clock.pending).toBe(0);
    make('timed', 100);
    expect(clock.pending).toBe(1);
    await clock.advanceAsync(100);
    expect(clock.pending).toBe(0);
  });

  it('that ended while it waited never begins, and gives its slot back', async () => {
    const { calls, slots, begun, make, states } = calling();
    make('waits', 1000);
    calls.end(new ReviewLoopError('cancelled', 'enough'));
    make('late', 1000);
    slots.open(1);
    await settle();
    expect(states).toEqual({ waits: 'cancelled', late: 'cancelled' });
    expect(begun).toEqual([]);
    expect(slots.running).toBe(0);
  });

  it('whose work is no promise leaves no timer', async () => {
    const { calls, clock, slots } = calling();
    slots.open(1);
    expect(await calls.make({ label: 'now', timeoutMs: 1000 }, () => 'done')).toBe('done');
    expect(clock.pending).toBe(0);
  });

  it('that is done leaves no timer for later ones', async () => {
    const { clock, slots, make, states } = calling();
    slots.open(3);
    const work = deferred<string>();
    make('quick', 3000, work.promise);
    make('slow', 2000);
    work.resolve('done');
    await clock.advanceAsync(500);
    expect(states).toEqual({ quick: 'done' });
    expect(clock.pending).toBe(1);
    await clock.advanceAsync(1499);
    expect(states).toEqual({ quick: 'done' });
    await clock.advanceAsync(1);
    expect(states).toEqual({ quick: 'done', slow: 'timeout' });
    expect(clock.pending).toBe(0);
  });
});

describe('the time of a review', () => {
  it('ends what runs and what waits, and is over at its very end', async () => {
    const { calls, clock, slots, make, states, begun } = calling(7000);
    slots.open(2);
    calls.endBy(7500);
    make('out', 3000);
    make('short', 200);
    make('waits', 3000);
    await clock.advanceAsync(200);
    expect(states).toEqual({ short: 'timeout' });
    await clock.advanceAsync(299);
    expect(states).toEqual({ short: 'timeout' });
    await clock.advanceAsync(1);
    expect(states).toEqual({ short: 'timeout', out: 'timeout', waits: 'timeout' });
    slots.open(2);
    make('too late', 3000);
    await settle();
    expect(states).toMatchObject({ 'too late': 'timeout' });
    expect(begun).toEqual(['out', 'short']);
    expect(clock.pending).toBe(0);
    calls.endBy(Number.POSITIVE_INFINITY);
    make('next', 3000);
    await settle();
    expect(states).not.toHaveProperty('next');
  });

  it('ends a call that waits, also after another one had less time', async () => {
    const { calls, clock, slots, make, states } = calling();
    slots.open(1);
    calls.endBy(500);
    make('short', 200);
    make('waits', 200);
    await clock.advanceAsync(499);
    expect(states).toEqual({ short: 'timeout' });
    await clock.advanceAsync(1);
    expect(states).toEqual({ short: 'timeout', waits: 'timeout' });
  });

  it('that is made longer is longer for what runs', async () => {
    const { calls, clock, slots, make, states } = calling();
    slots.open(1);
    calls.endBy(500);
    calls.endBy(900);
    make('waits for nothing', 3000);
    await clock.advanceAsync(899);
    expect(states).toEqual({});
    await clock.advanceAsync(1);
    expect(states).toEqual({ 'waits for nothing': 'timeout' });
  });

  it('ends with the run: no timer keeps the process alive', async () => {
    const { calls, clock, slots, make } = calling();
    slots.open(1);
    calls.endBy(500);
    make('out', 300);
    expect(clock.pending).toBe(1);
    calls.close();
    expect(clock.pending).toBe(0);
    calls.close();
  });
});

it('many calls are all ended, also after hundreds are done', async () => {
  const { calls, slots, make, states } = calling();
  slots.open(500);
  for (let index = 0; index < 300; index += 1) make(`done ${index}`, 1000, Promise.resolve('ok'));
  make('stays', 1000);
  await settle();
  for (let index = 0; index < 150; index += 1) make(`more ${index}`, 1000, Promise.resolve('ok'));
  await settle();
  expect(states['stays']).toBeUndefined();
  calls.end(new ReviewLoopError('cancelled', 'enough'));
  await settle();
  expect(states['stays']).toBe('cancelled');
  expect(Object.values(states).filter((state) => state === 'ok')).toHaveLength(450);
});
