import { describe, expect, it } from 'vitest';
import { modelErrors } from '@/blocks/models/errors.js';
import {
  rateLimit,
  spendingLimit,
  withRateLimit,
  withSpendingLimit,
} from '@/blocks/models/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import { ReviewLoopError } from '@/index.js';
import { fakeClock, providerContract, scriptedProvider, settle } from '@/testing/index.js';
import { request } from './support.js';

const counter = { id: 'thousand', count: async () => 1000 };
const prices = { inputPerMillion: 100, outputPerMillion: 400 };
/** A provider that answers with a usage, or throws. */
const answering = (
  usage: Readonly<Record<string, number>> | Error,
  reportsCost = false,
): LLMProvider => ({
  id: 'p',
  capabilities: {
    structured: 'json',
    schemaSubset: 'full',
    streaming: false,
    reportsUsage: true,
    reportsCost,
  },
  generate: async () => {
    if (usage instanceof Error) throw usage;
    return { text: '', finish: 'stop', usage, model: 'm', warnings: [], attempts: 1 };
  },
});

describe('withSpendingLimit keeps the contract of providers', () => {
  for (const { name, run } of providerContract(() =>
    withSpendingLimit(
      scriptedProvider(() => 'hello'),
      { usdPerDay: 1e6 },
      { prices },
    ),
  ))
    it(name, run);
});

describe('withSpendingLimit', () => {
  it('reserves what a call is expected to cost, and counts what it cost', async () => {
    const limit = spendingLimit({ usdPerDay: 1 });
    const reserved: number[] = [];
    const provider = answering({ inputTokens: 2000, outputTokens: 500 });
    const limited = withSpendingLimit(
      {
        ...provider,
        generate: async (asked) => {
          reserved.push((await limit.today()).reservedUsd);
          return provider.generate(asked);
        },
      },
      limit,
      { prices, counter },
    );
    await limited.generate(request({ maxOutputTokens: 1000 }));
    // 1000 tokens in and 1000 out are expected; 2000 and 500 were used
    expect(reserved).toEqual([0.5]);
    expect(await limit.today()).toMatchObject({ spentUsd: 0.4, reservedUsd: 0, unknownCalls: 0 });
  });

  it('refuses a call that does not fit, without asking the service', async () => {
    const limit = spendingLimit({ usdPerDay: 1, clock: fakeClock(Date.UTC(2026, 10, 23, 12)) });
    const inner = scriptedProvider(() => 'hello');
    const limited = withSpendingLimit(inner, limit, { prices, counter });
    (await limit.reserve(0)).settle(0.75);
    const error = await limited.generate(request()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'spending_limit_reached',
      kind: 'environment',
      retryable: false,
      what:
        'the spending limit of 1.00 USD a day is reached: 0.75 USD spent, 0.50 USD requested; ' +
        'the day ends at 2026-11-24T00:00:00.000Z',
      value: { usdPerDay: 1, spentUsd: 0.75, requestedUsd: 0.5, day: '2026-11-23' },
    });
    expect(inner.requests.length).toBe(0);
  });

  it('needs prices for a provider that does not report costs', () => {
    expect(() => withSpendingLimit(answering({}), { usdPerDay: 1 })).toThrow(
      /expected `prices` to be set for p, which does not report costs/,
    );
    expect(() => withSpendingLimit(answering({}, true), { usdPerDay: 1 })).not.toThrow();
    expect(() =>
      withSpendingLimit(
        answering({}),
        { usdPerDay: 1 },
        { prices: { inputPerMillion: -1, outputPerMillion: 1 } },
      ),
    ).toThrow(/prices.inputPerMillion/);
  });

  it('counts the cost that the provider reports, whatever the prices say', async () => {
    for (const options of [{}, { prices }]) {
      const limit = spendingLimit({ usdPerDay: 1 });
      const provider = answering({ inputTokens: 1, outputTokens: 1, costUsd: 0.3 }, true);
      await withSpendingLimit(provider, limit, options).generate(request());
      expect((await limit.today()).spentUsd).toBe(0.3);
    }
  });

  it('reports a call whose cost nobody knows, and does not count it as free', async () => {
    const limit = spendingLimit({ usdPerDay: 1 });
    const known = withSpendingLimit(answering({}), limit, { prices, counter, outputTokens: 1000 });
    expect((await known.generate(request())).warnings).toEqual([
      'the cost of this call is unknown to the spending limit of 1 USD a day: it counts as expected',
    ]);
    expect(await limit.today()).toMatchObject({ spentUsd: 0.5, unknownCalls: 1 });
    const unknown = withSpendingLimit(answering({}, true), limit);
    expect((await unknown.generate(request())).warnings[0]).toMatch(/it is not in the sum/);
    expect(await limit.today()).toMatchObject({ spentUsd: 0.5, unknownCalls: 2 });
    await known.generate(request());
    await expect(known.generate(request())).rejects.toThrow(/3 of the calls at an unknown price/);
  });

  it('a refused call costs nothing, a broken one its expected cost, a refusal what it used', async () => {
    const faults: readonly (readonly [Error, number])[] = [
      [new ReviewLoopError(modelErrors.provider_rate_limited, 'busy'), 0],
      [new ReviewLoopError(modelErrors.provider_timeout, 'late'), 0.5],
      [new Error('a bug'), 0.5],
      [
        new ReviewLoopError(modelErrors.answer_refused, 'no', {
          value: { usage: { inputTokens: 1000, outputTokens: 0 } },
        }),
        0.1,
      ],
    ];
    for (const [fault, usd] of faults) {
      const limit = spendingLimit({ usdPerDay: 1 });
      const limited = withSpendingLimit(answering(fault), limit, { prices, counter });
      await expect(limited.generate(request())).rejects.toBe(fault);
      expect((await limit.today()).spentUsd).toBeCloseTo(usd, 9);
    }
  });
});

describe('spendingLimit', () => {
  it('begins anew when the day ends in its time zone', async () => {
    // 23:30 in Berlin, one hour ahead of UTC in winter
    const clock = fakeClock(Date.UTC(2026, 10, 23, 22, 30));
    const limit = spendingLimit({ usdPerDay: 1, timeZone: 'Europe/Berlin', clock });
    const late = await limit.reserve(0.9);
    expect(await limit.today()).toMatchObject({
      day: '2026-11-23',
      endsAt: '2026-11-23T23:00:00.000Z',
    });
    clock.advance(30 * 60_000 - 1);
    await expect(limit.reserve(0.2)).rejects.toMatchObject({ code: 'spending_limit_reached' });
    clock.advance(1);
    expect(await limit.today()).toMatchObject({ day: '2026-11-24', reservedUsd: 0 });
    await limit.reserve(0.9);
    // a call belongs to the day on which it was reserved
    late.settle(0.9);
    expect(await limit.today()).toMatchObject({ spentUsd: 0, reservedUsd: 0.9 });
  });

  it.each([
    ['nothing', {}, /usdPerDay/],
    ['a limit of 0', { usdPerDay: 0 }, /usdPerDay/],
    ['no end', { usdPerDay: Number.POSITIVE_INFINITY }, /usdPerDay/],
    ['an unknown time zone', { usdPerDay: 1, timeZone: 'Mars/Base' }, /timeZone/],
    [
      'an offset, which databases read the other way',
      { usdPerDay: 1, timeZone: '+02:00' },
      /timeZone/,
    ],
    ['another option', { usdPerDay: 1, usdPerMonth: 3 }, /usdPerMonth/],
  ])('refuses %s', (_, options, message) => {
    expect(() => spendingLimit(options as never)).toThrow(message);
  });
});

describe('withRateLimit after a refusal of the service', () => {
  const busy = (retryAfterMs?: number) =>
    new ReviewLoopError(modelErrors.provider_rate_limited, 'busy', {
      value: retryAfterMs === undefined ? undefined : { retryAfterMs },
    });

  it.each([
    ['as long as it asks', busy(7000), 7000],
    ['a second if it names no time', busy(), 1000],
    ['a minute at most', busy(3_600_000), 60_000],
  ])('holds back the calls of all that share the limit: %s', async (_, fault, ms) => {
    const clock = fakeClock();
    const limit = rateLimit({ requestsPerMinute: 100, clock });
    const other = scriptedProvider(() => 'fine');
    await expect(withRateLimit(answering(fault), limit).generate(request())).rejects.toBe(fault);
    const call = withRateLimit(other, limit).generate(request());
    await clock.advanceAsync(ms - 1);
    expect(other.requests.length).toBe(0);
    await clock.advanceAsync(1);
    expect((await call).text).toBe('fine');
  });

  it('holds nobody back after other errors', async () => {
    const clock = fakeClock();
    const limit = rateLimit({ requestsPerMinute: 100, clock });
    const down = new ReviewLoopError(modelErrors.provider_unavailable, 'down');
    await expect(withRateLimit(answering(down), limit).generate(request())).rejects.toBe(down);
    const other = scriptedProvider(() => 'fine');
    void withRateLimit(other, limit).generate(request());
    await settle();
    expect(other.requests.length).toBe(1);
  });
});
