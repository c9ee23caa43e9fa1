import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storeErrors } from '@/adapters/stores/errors.js';
import { BookedRateLimit } from '@/adapters/stores/limits/booked-rate-limit.js';
import { type BookingRequest, ratePace } from '@/adapters/stores/limits/rate-pace.js';
import { SlotLimiter } from '@/adapters/stores/limits/slot-limiter.js';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { PostgresDatabase } from '@/adapters/stores/postgres/postgres-database.js';
import { rateLimitRow } from '@/adapters/stores/postgres/shared-limits.js';
import { ReviewLoopError } from '@/index.js';
import { systemClock } from '@/ports/clock.js';
import { fakeClock, settle } from '@/testing/index.js';
import { freshSchema, pglite } from '../../../support/postgres.js';

const minute = 60_000;
const busy = new ReviewLoopError(storeErrors.store_busy, 'no answer', { retryable: true });

it('the places that a shared rate limit books exceed the limit in no minute, keep the order, and waste nothing', async () => {
  const database = new PostgresDatabase({
    place: await pglite(),
    schema: freshSchema(),
    outageMs: 1000,
    migrate: true,
    worker: 'w',
    connections: 1,
    clock: systemClock,
  });
  let keys = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 2, max: 2000 }),
      fc.array(fc.integer({ min: 0, max: 800 }), { minLength: 1, maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (requestsPerMinute, tokensPerMinute, tokens, part) => {
        const pace = ratePace({
          key: 'k',
          requestsPerMinute,
          tokensPerMinute,
          burst: 1 + Math.floor(part * (requestsPerMinute - 1)),
          tokenBurst: 1 + Math.floor(part * (tokensPerMinute - 2)),
          horizonMs: 1e12,
        });
        const { book } = rateLimitRow(database, `k${keys++}`, pace);
        const { waits } = await book({ tokens, owed: 0, spent: 0, holdMs: 0 });
        expect(waits.length).toBe(tokens.length);
        expect(waits[0]).toBeCloseTo(0, 3);
        for (const [from, begin] of waits.entries()) {
          const next = waits[from + 1];
          if (next !== undefined) expect(next).toBeGreaterThanOrEqual(begin - 1e-3);
          // less than a minute later, by the microseconds that the database stores
          const inMinute = waits.flatMap((at, index) =>
            index >= from && at < begin + minute - 0.01 ? [tokens[index] ?? 0] : [],
          );
          expect(inMinute.length).toBeLessThanOrEqual(requestsPerMinute);
          // a call above the limit goes alone
          const sum = inMinute.reduce((all, one) => all + Math.min(one, tokensPerMinute), 0);
          expect(sum).toBeLessThanOrEqual(tokensPerMinute + 1e-3);
        }
      },
    ),
    { numRuns: 25 },
  );
});

/** A limit over rows that a test answers for. */
function bookedBy(answer: (request: BookingRequest) => readonly number[] | Error) {
  const clock = fakeClock();
  const asked: BookingRequest[] = [];
  const limit = new BookedRateLimit(
    {
      book: async (request) => {
        asked.push(request);
        const waits = answer(request);
        if (waits instanceof Error) throw waits;
        return { waits, againMs: 1000 };
      },
    },
    clock,
  );
  return { clock, asked, limit };
}

describe('a rate limit whose calls book their starts', () => {
  it('asks for all calls of a turn with one statement, and starts each at its place', async () => {
    const { clock, asked, limit } = bookedBy(({ tokens }) => tokens.map((_, index) => index * 100));
    const started: number[] = [];
    for (const tokens of [5, 6, 7]) void limit.enter({ tokens }).then(() => started.push(tokens));
    await clock.advanceAsync(0);
    expect(asked).toEqual([{ tokens: [5, 6, 7], owed: 0, spent: 0, holdMs: 0 }]);
    expect(started).toEqual([5]);
    await clock.advanceAsync(100);
    expect(started).toEqual([5, 6]);
    await clock.advanceAsync(100);
    expect(started).toEqual([5, 6, 7]);
    expect(clock.pending).toBe(0);
  });

  it('asks again for calls without a place, before those that came later', async () => {
    const { clock, asked, limit } = bookedBy(() => [0]);
    const started: number[] = [];
    for (const tokens of [1, 2]) void limit.enter({ tokens }).then(() => started.push(tokens));
    await clock.advanceAsync(0);
    void limit.enter({ tokens: 3 }).then(() => started.push(3));
    await clock.advanceAsync(10_000);
    expect(started).toEqual([1, 2, 3]);
    expect(asked.map(({ tokens }) => tokens)).toEqual([[1, 2], [2, 3], [3]]);
  });

  it('gives back the tokens of a call that is aborted at its place, and asks for none that waits', async () => {
    const { clock, asked, limit } = bookedBy(({ tokens }) => (tokens.length > 0 ? [5000] : []));
    const aborts = [new AbortController(), new AbortController()];
    const ended = aborts.map(({ signal }, index) =>
      limit.enter({ tokens: 10 + index, signal }).catch((error: unknown) => String(error)),
    );
    await clock.advanceAsync(0);
    for (const abort of aborts) abort.abort(new Error('enough'));
    expect(await Promise.all(ended)).toEqual(['Error: enough', 'Error: enough']);
    await clock.advanceAsync(250);
    expect(asked.at(-1)).toEqual({ tokens: [], owed: -10, spent: 0, holdMs: 0 });
    // nothing keeps the process alive
    expect(clock.pending).toBe(0);
  });

  it('rejects all that wait if the store cannot be reached, and asks again for later calls', async () => {
    let isBack = false;
    const { clock, limit } = bookedBy(({ tokens }) => (isBack ? tokens.map(() => 0) : busy));
    const calls = [limit.enter(), limit.enter()];
    for (const call of calls) await expect(call).rejects.toBe(busy);
    isBack = true;
    const later = limit.enter();
    await clock.advanceAsync(0);
    expect(await later).toMatchObject({ settle: expect.any(Function) });
  });

  it('takes back every place of the process when the service refuses a call', async () => {
    let places: readonly number[] = [0, 400, 800];
    const { clock, asked, limit } = bookedBy(({ tokens }) => places.slice(0, tokens.length));
    const first = limit.enter({ tokens: 1 });
    const started: number[] = [];
    for (const tokens of [2, 3]) void limit.enter({ tokens }).then(() => started.push(tokens));
    await clock.advanceAsync(0);
    places = [5000, 5100];
    (await first).refused?.(5000);
    await clock.advanceAsync(4999);
    expect(asked[1]).toEqual({ tokens: [2, 3], owed: -5, spent: 0, holdMs: 5000 });
    expect(started).toEqual([]);
    await clock.advanceAsync(101);
    expect(started).toEqual([2, 3]);
  });

  it('takes a new place for a call that comes too late to its own: the process was frozen', async () => {
    const frozen = fakeClock();
    let behind = 0;
    const asked: BookingRequest[] = [];
    const clock = { ...frozen, elapsed: () => frozen.now() + behind };
    const limit = new BookedRateLimit(
      {
        book: async (request) => {
          asked.push(request);
          return { waits: request.tokens.map(() => 100), againMs: 1000 };
        },
      },
      clock,
    );
    let started = 0;
    for (let call = 0; call < 3; call += 1) void limit.enter().then(() => (started += 1));
    await frozen.advanceAsync(0);
    behind = 60_000;
    await frozen.advanceAsync(100);
    expect(started).toBe(0);
    await frozen.advanceAsync(100);
    expect(started).toBe(3);
    expect(asked.map(({ tokens }) => tokens.length).reduce((sum, calls) => sum + calls, 0)).toBe(6);
  });

  it('corrects expected tokens by one statement for all', async () => {
    const { clock, asked, limit } = bookedBy(({ tokens }) => tokens.map(() => 0));
    const passes = Promise.all([limit.enter({ tokens: 100 }), limit.enter({ tokens: 50 })]);
    await clock.advanceAsync(0);
    for (const pass of await passes) pass.settle(10);
    limit.spend(7);
    await clock.advanceAsync(250);
    expect(asked.slice(1)).toEqual([{ tokens: [], owed: -130, spent: 7, holdMs: 0 }]);
  });
});

describe('a limiter whose slots are shared', () => {
  const setup = (wanted: () => boolean) => {
    const clock = fakeClock();
    const said: string[] = [];
    let free = 1;
    const limiter = new SlotLimiter(
      {
        take: async (most) => {
          const taken = Math.min(most, free);
          free -= taken;
          return Array.from({ length: taken }, () => 's');
        },
        free: async () => {
          free += 1;
          said.push('free');
        },
        leave: async () => void said.push('leave'),
        isWanted: async () => wanted(),
      },
      1,
      clock,
    );
    return { clock, said, limiter };
  };
  const work = (clock: ReturnType<typeof fakeClock>, said: string[], name: string) => () =>
    new Promise<void>((done) => {
      said.push(name);
      clock.after(600, done);
    });

  it('passes a slot on within the process while nobody else waits', async () => {
    const { clock, said, limiter } = setup(() => false);
    for (const name of ['a', 'b', 'c']) limiter.enter(0, work(clock, said, name));
    await clock.advanceAsync(5000);
    expect(said).toEqual(['a', 'b', 'c', 'leave', 'free']);
  });

  it('frees a slot after a turn if another process waits', async () => {
    const { clock, said, limiter } = setup(() => true);
    for (const name of ['a', 'b', 'c']) limiter.enter(0, work(clock, said, name));
    await clock.advanceAsync(5000);
    expect(said.slice(0, 4)).toEqual(['a', 'b', 'free', 'c']);
  });

  it('tells every waiting call if the store cannot be reached', async () => {
    const limiter = new SlotLimiter(
      {
        take: () => Promise.reject(busy),
        free: async () => {},
        leave: async () => {},
        isWanted: async () => false,
      },
      1,
      fakeClock(),
    );
    const told: unknown[] = [];
    for (let call = 0; call < 2; call += 1)
      limiter.enter(
        0,
        () => Promise.reject(new Error('must not start')),
        (error) => told.push(error),
      );
    await settle();
    expect(told).toEqual([busy, busy]);
  });
});

describe('the options of shared limits', () => {
  const store = postgresStore({ query: () => Promise.reject(new Error('asked')) });
  const rate = (options: object) => () => store.rateLimit({ key: 'a', ...options });
  const slots = (options: object) => () => store.limiter({ key: 'a', concurrency: 1, ...options });
  const money = (options: object) => () => store.spendingLimit({ key: 'a', ...options } as never);
  it.each([
    ['no key', rate({ key: undefined }), /key/],
    ['a NUL in the key', slots({ key: 'a\u0000' }), /key/],
    ['a half call', rate({ requestsPerMinute: 0.5 }), /requestsPerMinute/],
    ['a burst above the limit', rate({ requestsPerMinute: 5, burst: 6 }), /burst/],
    ['tokens without a rest', rate({ tokensPerMinute: 5, tokenBurst: 5 }), /tokenBurst/],
    ['a horizon of 0', rate({ horizonMs: 0 }), /horizonMs/],
    ['a clock', rate({ clock: fakeClock() }), /clock/],
    ['no slots', slots({ concurrency: 0 }), /concurrency/],
    ['too many slots', slots({ concurrency: 10_001 }), /concurrency/],
    ['no money', money({}), /usdPerDay/],
    ['an unknown time zone', money({ usdPerDay: 1, timeZone: 'x' }), /timeZone/],
  ])('refuse %s', (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(make).toThrow(message);
  });

  it('take a limit of one token or one call a minute', () => {
    expect(ratePace({ key: 'a', requestsPerMinute: 1 })).toMatchObject({
      callMs: minute,
      burst: 1,
    });
    expect(ratePace({ key: 'a', tokensPerMinute: 1 })).toMatchObject({ tokenBurst: 0.1 });
  });
});
