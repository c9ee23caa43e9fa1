import { describe, expect, it } from 'vitest';
import { type SpendingLimit, spendingLimit } from '@/ports/spending-limit.js';
import { fakeClock, spendingLimitContract } from '@/testing/index.js';
import { faultsOf } from './faults.js';

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
