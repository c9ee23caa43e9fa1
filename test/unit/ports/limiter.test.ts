import { describe, expect, it } from 'vitest';
import { storeErrors } from '@/adapters/stores/errors.js';
import { definePipeline, ReviewLoopError } from '@/index.js';
import { type Limiter, type LimiterOptions, limiter, processLimiter } from '@/ports/limiter.js';
import { rateLimit } from '@/ports/rate-limit.js';
import { fakeClock, settle } from '@/testing/index.js';
import { errorWith } from '../../support/matchers.js';

/** Enters calls that end at once; gives the names of those that were let in. */
function enterAll(slots: Limiter, names: readonly string[]): string[] {
  const entered: string[] = [];
  for (const [age, name] of names.entries()) slots.enter(age, async () => void entered.push(name));
  return entered;
}

describe('limiter', () => {
  it.each<[string, Partial<LimiterOptions>]>([
    ['no slots', { concurrency: 0 }],
    ['a fraction of a slot', { concurrency: 1.5 }],
    ['a negative number', { concurrency: -1 }],
    ['NaN', { concurrency: Number.NaN }],
    ['nothing', {}],
    ['a text', { concurrency: '4' as never }],
  ])('refuses %s', (_, options) => {
    expect(() => limiter(options as LimiterOptions)).toThrow(
      expect.objectContaining(errorWith('invalid_options', 'to be a whole number from 1')),
    );
  });

  it.each([
    ['a number', 500],
    ['options of a rate', { requestsPerMinute: 500 }],
    ['null', null],
  ])('refuses %s for a rate', (_, rate) => {
    expect(() => limiter({ concurrency: 1, rate: rate as never })).toThrow(
      expect.objectContaining(
        errorWith('invalid_options', 'expected `rate` to be a rateLimit(...)'),
      ),
    );
  });

  it.each([
    ['no requests', { requestsPerMinute: 0 }],
    ['half a token', { tokensPerMinute: 0.5 }],
  ])('rateLimit refuses %s', (_, options) => {
    expect(() => rateLimit(options)).toThrow(/to be a whole number from 1/);
  });

  it('returns the slot of work that rejects', async () => {
    const slots = limiter({ concurrency: 1 });
    slots.enter(0, () => Promise.reject(new Error('broken')));
    const entered = enterAll(slots, ['next']);
    await settle();
    expect(entered).toEqual(['next']);
  });

  it('takes Infinity for no limit', async () => {
    const slots = limiter({
      concurrency: Number.POSITIVE_INFINITY,
      rate: rateLimit({
        requestsPerMinute: Number.POSITIVE_INFINITY,
        tokensPerMinute: Number.POSITIVE_INFINITY,
      }),
    });
    let out = 0;
    for (let index = 0; index < 1000; index += 1) {
      slots.enter(0, () => {
        out += 1;
        return new Promise(() => {});
      });
    }
    await settle();
    expect(out).toBe(1000);
  });

  it('16 calls at a time in the whole process where nothing else is said', () => {
    expect(processLimiter.concurrency).toBe(16);
  });

  it('lets a call of an old loop pass those of younger ones that came before it', async () => {
    const slots = limiter({ concurrency: 1 });
    const order: string[] = [];
    let finish = (): void => {};
    slots.enter(
      9,
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    await settle();
    for (let index = 0; index < 100; index += 1)
      slots.enter(10 + index, async () => void order.push('young'));
    slots.enter(1, async () => void order.push('old'));
    finish();
    await settle();
    expect(order[0]).toBe('old');
    expect(order.length).toBe(101);
  });
});

describe('limiter: requests per minute', () => {
  it('starts no more calls in any minute', async () => {
    const clock = fakeClock();
    const slots = limiter({ concurrency: 8, rate: rateLimit({ requestsPerMinute: 2, clock }) });
    const entered = enterAll(slots, ['a', 'b', 'c', 'd', 'e']);
    await settle();
    expect(entered).toEqual(['a', 'b']);
    await clock.advanceAsync(59_999);
    expect(entered).toEqual(['a', 'b']);
    await clock.advanceAsync(1);
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
    await clock.advanceAsync(60_000);
    expect(entered.length).toBe(5);
  });

  it('counts any minute, not the minutes of the clock', async () => {
    const clock = fakeClock();
    const slots = limiter({ concurrency: 8, rate: rateLimit({ requestsPerMinute: 2, clock }) });
    enterAll(slots, ['a']);
    await clock.advanceAsync(50_000);
    const later = enterAll(slots, ['b', 'c', 'd']);
    await clock.advanceAsync(0);
    expect(later).toEqual(['b']);
    await clock.advanceAsync(10_000);
    expect(later).toEqual(['b', 'c']);
    await clock.advanceAsync(50_000);
    expect(later).toEqual(['b', 'c', 'd']);
  });

  it('lets the oldest in when there is room again', async () => {
    const clock = fakeClock();
    const slots = limiter({ concurrency: 8, rate: rateLimit({ requestsPerMinute: 1, clock }) });
    const entered: string[] = [];
    for (const [age, name] of [
      [0, 'first'],
      [5, 'young'],
      [1, 'old'],
    ] as const)
      slots.enter(age, async () => void entered.push(name));
    await clock.advanceAsync(60_000);
    expect(entered).toEqual(['first', 'old']);
  });
});

describe('limiter: tokens per minute', () => {
  it('holds calls back once the tokens of the last minute are spent', async () => {
    const clock = fakeClock();
    const slots = limiter({ concurrency: 8, rate: rateLimit({ tokensPerMinute: 100, clock }) });
    slots.spend(60);
    await clock.advanceAsync(30_000);
    const entered = enterAll(slots, ['a']);
    await settle();
    expect(entered).toEqual(['a']);
    slots.spend(40);
    const later = enterAll(slots, ['b', 'c']);
    await clock.advanceAsync(29_999);
    expect(later).toEqual([]);
    await clock.advanceAsync(1);
    expect(later).toEqual(['b', 'c']);
  });

  it('counts nothing where no rate is set', async () => {
    const slots = limiter({ concurrency: 1 });
    slots.spend(1e9);
    const entered = enterAll(slots, ['a']);
    await settle();
    expect(entered).toEqual(['a']);
  });
});

describe('a limiter that can give no slot', () => {
  const gone = new ReviewLoopError(storeErrors.store_busy, 'no answer', { retryable: true });
  const broken = (error: unknown): Limiter =>
    limiter({
      concurrency: 2,
      rate: { enter: () => Promise.reject(error), spend: () => {} },
    });

  it('tells each call why, and starts none', async () => {
    for (const [thrown, code] of [
      [gone, 'store_busy'],
      ['a bug', 'invalid_options'],
    ] as const) {
      const told: string[] = [];
      const slots = broken(thrown);
      for (let call = 0; call < 3; call += 1)
        slots.enter(
          0,
          () => Promise.reject(new Error('must not start')),
          (error) => told.push(error.code),
        );
      await settle();
      expect(told).toEqual([code, code, code]);
    }
  });

  it('ends the run with its error: no judge failed', async () => {
    let judged = 0;
    const pipeline = definePipeline({
      produce: () => 'output',
      criteria: {
        fine: async () => {
          judged += 1;
          return true;
        },
      },
      limiter: broken(gone),
    });
    const outcome = await pipeline.run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'store_busy', approved: false });
    expect(judged).toBe(0);
  });
});
