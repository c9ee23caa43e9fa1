import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { CallRunner } from '../../../src/engine/call-runner.js';
import { ReviewLoopError } from '../../../src/index.js';
import { fakeClock, manualLimiter, settle } from '../../../src/testing/index.js';
import { deferred, never } from './support.js';

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

describe('a call', () => {
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
    slots.open(1);
    await settle();
    expect(states).toEqual({ waits: 'cancelled' });
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

describe('many calls', () => {
  it('are all ended, also after hundreds are done', async () => {
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
});
