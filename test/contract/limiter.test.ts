import { describe, expect, it } from 'vitest';
import { type Limiter, limiter, processLimiter } from '@/ports/limiter.js';
import { rateLimit } from '@/ports/rate-limit.js';
import { fakeClock, limiterContract } from '@/testing/index.js';
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
