import { describe, expect, it } from 'vitest';
import { type RateLimit, rateLimit } from '@/ports/rate-limit.js';
import { fakeClock, rateLimitContract } from '@/testing/index.js';

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
