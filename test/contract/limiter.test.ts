import { describe, expect, it } from 'vitest';
import { type Limiter, limiter, processLimiter } from '@/ports/limiter.js';
import { type RateLimit, rateLimit } from '@/ports/rate-limit.js';
import { type SpendingLimit, spendingLimit } from '@/ports/spending-limit.js';
import {
  fakeClock,
  limiterContract,
  rateLimitContract,
  spendingLimitContract,
} from '@/testing/index.js';
import { faultsOf } from './faults.js';

describe('limiter keeps the contract of limiters', () => {
  for (const { name, run } of limiterContract((concurrency) => limiter({ concurrency })))
    it(name, run);
});

describe('limiter with rates that are not reached keeps the contract', () => {
  const makeLimiter = (concurrency: number): Limiter =>
    limiter({
      concurrency,
      rate: rateLimit({ requestsPerMinute: 1000, tokensPerMinute: 1000, clock: fakeClock() }),
    });
  for (const { name, run } of limiterContract(makeLimiter)) it(name, run);
});

describe('limiterContract finds limiters that break it', () => {
  const brokenCases = async (makeLimiter: (concurrency: number) => Limiter): Promise<string[]> => {
    return [...(await faultsOf(limiterContract(makeLimiter)))];
  };

  it('one without a limit', async () => {
    const broken = await brokenCases((concurrency) => ({
      ...processLimiter,
      concurrency,
      enter: (_, work) => void work(),
    }));
    expect(broken.join('\n')).toMatch(/expected 3 calls at a time, got 20/);
  });

  it('one that lets in by arrival', async () => {
    const broken = await brokenCases((concurrency) => {
      const slots = limiter({ concurrency });
      return { ...slots, enter: (_, work) => slots.enter(0, work) };
    });
    expect(broken.join('\n')).toMatch(/order: expected \["old, first"/);
  });
});

describe('rateLimit keeps the contract of rate limits', () => {
  const clock = fakeClock();
  const cases = rateLimitContract((options) => rateLimit({ ...options, clock }), {
    advance: clock.advanceAsync,
  });
  for (const { name, run } of cases) it(name, run);
});

describe('rateLimitContract finds limits that break it', () => {
  const broken = async (change: (limit: RateLimit) => RateLimit): Promise<string> => {
    const clock = fakeClock();
    const cases = rateLimitContract((options) => change(rateLimit({ ...options, clock })), {
      advance: clock.advanceAsync,
    });
    const found: string[] = [];
    for (const { run } of cases)
      await run().catch((error: unknown) => {
        found.push(String(error));
      });
    return found.join('\n');
  };

  it('one without a limit', async () => {
    const free = await broken((limit) => ({
      ...limit,
      enter: async () => ({ settle: () => {}, refused: () => {} }),
    }));
    expect(free).toMatch(/at most 3 calls to start, got 5/);
    expect(free).toMatch(/must wait while the tokens of the minute are used/);
    expect(free).toMatch(/no call must start while the service asks to wait/);
  });

  it('one that never gives tokens back', async () => {
    const kept = await broken((limit) => ({
      ...limit,
      enter: async (call) => ({ ...(await limit.enter(call)), settle: () => {} }),
    }));
    expect(kept).toMatch(/a call after its tokens were given back must start/);
  });

  it('one that does not hear of an abort', async () => {
    const deaf = await broken((limit) => ({
      ...limit,
      enter: (call) => limit.enter({ tokens: call?.tokens }),
      spend: limit.spend,
    }));
    expect(deaf).toMatch(/an aborted call must reject with the reason/);
  });
});

describe('spendingLimit keeps the contract of spending limits', () => {
  for (const { name, run } of spendingLimitContract((usdPerDay) =>
    spendingLimit({ usdPerDay, clock: fakeClock(Date.UTC(2026, 10, 23)) }),
  ))
    it(name, run);
});

describe('spendingLimitContract finds limits that break it', () => {
  const broken = async (change: (limit: SpendingLimit) => SpendingLimit): Promise<string> => {
    const cases = spendingLimitContract((usdPerDay) => change(spendingLimit({ usdPerDay })));
    return (await faultsOf(cases)).join('\n');
  };

  it('one that reserves nothing', async () => {
    const free = await broken((limit) => ({ ...limit, reserve: () => limit.reserve(0) }));
    expect(free).toMatch(/expected 5 calls of 0.2 USD to fit into 1 USD, got 10/);
  });

  it('one that settles twice', async () => {
    const twice = await broken((limit) => ({
      ...limit,
      reserve: async (usd) => {
        const first = await limit.reserve(usd);
        return {
          settle: (cost) => {
            first.settle(cost);
            void limit.reserve(0).then(
              (more) => more.settle(cost),
              () => {},
            );
          },
        };
      },
    }));
    expect(twice).toMatch(/limit of 1.00 USD a day is reached: 1.40 USD spent/);
  });

  it('one that takes an unknown cost for nothing', async () => {
    const nothing = await broken((limit) => ({
      ...limit,
      reserve: async (usd) => {
        const { settle } = await limit.reserve(usd);
        return { settle: (cost = 0) => settle(cost) };
      },
    }));
    expect(nothing).toMatch(/what was settled/);
  });
});
