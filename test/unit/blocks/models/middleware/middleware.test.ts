import { describe, expect, it } from 'vitest';
import { modelErrors } from '@/blocks/models/errors.js';
import {
  modelBudget,
  rateLimit,
  withBudget,
  withCache,
  withFallback,
  withRateLimit,
  withRetry,
  withTimeout,
} from '@/blocks/models/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import { triesOf } from '@/core/tries.js';
import { ReviewLoopError } from '@/index.js';
import {
  fakeClock,
  fakeRandom,
  hang,
  providerContract,
  scriptedProvider,
  settle,
} from '@/testing/index.js';
import { expectCode, withCode } from '../../../../support/matchers.js';
import { request } from './support.js';

const busy = (retryAfterMs?: number): ReviewLoopError =>
  new ReviewLoopError(modelErrors.provider_rate_limited, 'busy', {
    retryable: true,
    value: retryAfterMs === undefined ? undefined : { retryAfterMs },
  });
const down = (): ReviewLoopError =>
  new ReviewLoopError(modelErrors.provider_unavailable, 'down', { retryable: true });
const refused = (): ReviewLoopError => new ReviewLoopError(modelErrors.answer_refused, 'no');
const counter = { id: 'letters', count: async (text: string) => text.length };

const wrapped: Readonly<Record<string, (provider: LLMProvider) => LLMProvider>> = {
  withRetry: (provider) => withRetry(provider),
  withTimeout: (provider) => withTimeout(provider, 60_000),
  withRateLimit: (provider) => withRateLimit(provider, { requestsPerMinute: 1000 }),
  withBudget: (provider) => withBudget(provider, { tokens: 1_000_000 }),
  withCache: (provider) => withCache(provider),
  withFallback: (provider) => withFallback([provider, provider]),
  'all of them': (provider) =>
    withFallback([
      withCache(
        withRetry(
          withTimeout(
            withRateLimit(withBudget(provider, { tokens: 1e6 }), { requestsPerMinute: 1000 }),
            60_000,
          ),
        ),
      ),
    ]),
};

describe.each(Object.entries(wrapped))('a provider with %s keeps the contract', (_, wrap) => {
  it('and needs a provider', () => {
    for (const wrong of [undefined, null, {}, 'ollama'])
      expect(() => wrap(wrong as never)).toThrow(/provider/i);
    expect(() => wrap({} as never)).toThrow(withCode('invalid_options'));
  });
  for (const { name, run } of providerContract(() => wrap(scriptedProvider(() => 'hello'))))
    it(name, run);
});

describe('withRetry', () => {
  const setup = (answers: Parameters<typeof scriptedProvider>[0], options = {}) => {
    const clock = fakeClock();
    const inner = scriptedProvider(answers);
    return {
      clock,
      inner,
      provider: withRetry(inner, { clock, random: fakeRandom(), ...options }),
    };
  };

  it('tries again what may pass, and counts the calls', async () => {
    const { clock, provider, inner } = setup([down(), down(), 'fine']);
    const call = provider.generate(request());
    await clock.advanceAsync(10_000);
    expect(await call).toMatchObject({ text: 'fine', attempts: 3 });
    expect(inner.requests.length).toBe(3);
  });

  it('waits as long as the service asks, to the millisecond', async () => {
    const { clock, provider, inner } = setup([busy(7000), 'fine']);
    const call = provider.generate(request());
    await clock.advanceAsync(6999);
    expect(inner.requests.length).toBe(1);
    await clock.advanceAsync(1);
    expect((await call).text).toBe('fine');
  });

  it('gives up at once when the service asks for more than the longest wait', async () => {
    const { provider, inner } = setup([busy(61_000), 'fine']);
    await expectCode(provider.generate(request()), 'provider_rate_limited');
    expect(inner.requests.length).toBe(1);
  });

  it('gives up after its attempts with the last error, which tells of all', async () => {
    const { clock, provider } = setup([down(), down(), busy()], { attempts: 3 });
    const failed = provider.generate(request()).catch((error: unknown) => error);
    await clock.advanceAsync(100_000);
    const error = await failed;
    expect(error).toMatchObject({ code: 'provider_rate_limited' });
    const tries = triesOf(new Error('outer', { cause: error }));
    expect(tries.map(({ what }) => what)).toEqual(['down', 'down', 'busy']);
    const [first = 0, second = 0, third = 0] = tries.map(({ at }) => Date.parse(at));
    expect(second - first).toBeGreaterThanOrEqual(500);
    expect(third - second).toBeGreaterThanOrEqual(1000);
  });

  it('does not try again what cannot pass, nor errors of others', async () => {
    for (const error of [
      refused(),
      new ReviewLoopError(modelErrors.provider_unauthorized, 'no key'),
      new Error('a bug'),
    ]) {
      const { provider, inner } = setup([error, 'fine']);
      await expect(provider.generate(request())).rejects.toBe(error);
      expect(inner.requests.length).toBe(1);
    }
  });

  it('stops waiting when it is aborted', async () => {
    const { clock, provider } = setup([down(), 'fine']);
    const controller = new AbortController();
    const failed = expect(
      provider.generate(request({ signal: controller.signal })),
    ).rejects.toMatchObject({ code: 'cancelled' });
    await settle();
    controller.abort();
    await failed;
    expect(clock.pending).toBe(0);
  });

  it('refuses options it does not have', () => {
    expect(() => withRetry(scriptedProvider([]), { attempts: 0 })).toThrow(/attempts/);
    expect(() => withRetry(scriptedProvider([]), { tries: 3 } as never)).toThrow(/tries/);
  });
});

describe('withTimeout', () => {
  it('ends a call that takes too long, also of a provider that ignores its signal', async () => {
    const clock = fakeClock();
    const deaf: LLMProvider = { ...scriptedProvider([]), generate: () => new Promise(() => {}) };
    const failed = expect(
      withTimeout(deaf, 5000, { clock }).generate(request()),
    ).rejects.toMatchObject({ code: 'provider_timeout', retryable: true });
    await clock.advanceAsync(5000);
    await failed;
  });

  it('leaves no timer behind', async () => {
    const clock = fakeClock();
    await withTimeout(scriptedProvider(['fine']), 5000, { clock }).generate(request());
    expect(clock.pending).toBe(0);
  });

  it('tells an abort from a timeout', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const failed = expect(
      withTimeout(scriptedProvider([hang]), 5000, { clock }).generate(
        request({ signal: controller.signal }),
      ),
    ).rejects.toMatchObject({ code: 'cancelled' });
    controller.abort();
    await failed;
  });
});

describe('withRateLimit', () => {
  it('is shared between providers, first come, first served', async () => {
    const clock = fakeClock();
    const account = rateLimit({ requestsPerMinute: 2, clock });
    const order: string[] = [];
    const named = (id: string): LLMProvider =>
      withRateLimit(
        scriptedProvider(() => {
          order.push(id);
          return 'fine';
        }),
        account,
        { counter },
      );
    const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => named(id).generate(request()));
    await clock.advanceAsync(0);
    expect(order).toEqual(['a', 'b']);
    await clock.advanceAsync(60_000);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    await clock.advanceAsync(60_000);
    await Promise.all(calls);
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('gives back what a call did not take', async () => {
    const clock = fakeClock();
    const limited = withRateLimit(
      scriptedProvider(() => ({ text: 'fine', usage: { totalTokens: 10 } })),
      { tokensPerMinute: 100, clock },
      { counter, outputTokens: 60 },
    );
    const calls = [1, 2, 3].map(() => limited.generate(request()));
    await clock.advanceAsync(0);
    expect((await Promise.all(calls)).length).toBe(3);
  });

  it('gives back what a refused call did not take, and counts a call that may have begun', async () => {
    for (const [code, started] of [
      ['provider_rate_limited', 2],
      ['provider_unavailable', 1],
    ] as const) {
      const clock = fakeClock();
      let calls = 0;
      const limited = withRateLimit(
        scriptedProvider(() => {
          calls += 1;
          return calls === 1 ? new ReviewLoopError(modelErrors[code], 'no') : 'fine';
        }),
        { tokensPerMinute: 100, clock },
        { counter, outputTokens: 60 },
      );
      await expect(limited.generate(request())).rejects.toMatchObject({ code });
      const next = limited.generate(request());
      // a refusal holds the next call back for a second, and its tokens do not for a minute
      await clock.advanceAsync(1000);
      expect(calls, code).toBe(started);
      await clock.advanceAsync(60_000);
      await next;
    }
  });

  it('can be left while it waits, and then lets the next one in', async () => {
    const clock = fakeClock();
    const account = rateLimit({ requestsPerMinute: 1, clock });
    const limited = withRateLimit(
      scriptedProvider(() => 'fine'),
      account,
      { counter },
    );
    await limited.generate(request());
    const controller = new AbortController();
    const left = expect(limited.generate(request({ signal: controller.signal }))).rejects.toThrow();
    const next = limited.generate(request());
    await settle();
    controller.abort();
    await left;
    await clock.advanceAsync(60_000);
    expect((await next).text).toBe('fine');
    expect(clock.pending).toBe(0);
  });
});

describe('withBudget', () => {
  const prices = { inputPerMillion: 1_000_000, outputPerMillion: 2_000_000 };

  it('sets aside before the call, so that calls side by side do not overspend', async () => {
    const budget = modelBudget({ tokens: 250 });
    const inner = scriptedProvider(() => ({
      text: 'fine',
      usage: { inputTokens: 20, outputTokens: 50 },
    }));
    const frugal = withBudget(inner, budget, { counter, outputTokens: 100 });
    const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(() => frugal.generate(request())));
    expect(settled.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    const codes = settled.map((one) => one.status === 'rejected' && one.reason.code);
    expect(codes.filter((code) => code === 'budget_exceeded')).toHaveLength(3);
    expect(budget.spent.totalTokens).toBe(140);
    expect(inner.requests[0]?.maxOutputTokens).toBe(100);
  });

  it('counts money by prices, and by what the provider reports', async () => {
    const budget = modelBudget({ costUsd: 1000 });
    const spend = async (usage: object) => {
      const inner = scriptedProvider(() => ({ text: 'fine', usage }));
      await withBudget(inner, budget, { counter, prices, outputTokens: 50 }).generate(request());
      return budget.spent.costUsd;
    };
    expect(await spend({ inputTokens: 10, outputTokens: 5 })).toBe(20);
    expect(await spend({ inputTokens: 10, outputTokens: 5, costUsd: 1 })).toBe(21);
  });

  it('counts what stays unknown as expected, and what was refused as nothing', async () => {
    const unknown = modelBudget({ tokens: 1000 });
    await withBudget(scriptedProvider(['fine']), unknown, { counter, outputTokens: 50 }).generate(
      request(),
    );
    expect(unknown.spent.outputTokens).toBe(50);
    const limited = modelBudget({ tokens: 1000 });
    const refuse = (error: Error) =>
      withBudget(scriptedProvider([error]), limited, { counter, outputTokens: 50 }).generate(
        request(),
      );
    await expect(refuse(busy())).rejects.toThrow();
    expect(limited.spent.totalTokens).toBeUndefined();
    const late = new ReviewLoopError(modelErrors.provider_timeout, 'late');
    await expect(refuse(late)).rejects.toThrow();
    expect(limited.spent.outputTokens).toBe(50);
  });

  it('refuses a budget in money without prices', () => {
    expect(() => withBudget(scriptedProvider([]), { costUsd: 1 })).toThrow(/prices/);
    expect(() => modelBudget({ tokens: 0 })).toThrow(/tokens/);
  });
});

describe('withFallback', () => {
  const tooLong = new ReviewLoopError(modelErrors.view_truncated, 'too long');
  it.each([down(), tooLong])('asks the next provider after $code, and says so', async (fault) => {
    const first = scriptedProvider([fault], { id: 'first' });
    const second = scriptedProvider(['fine'], { id: 'second' });
    expect(await withFallback([first, second]).generate(request())).toMatchObject({
      text: 'fine',
      attempts: 2,
      warnings: [`first failed: ${fault.code}`, 'second answered'],
    });
  });

  it('takes no refusal to another judge', async () => {
    const second = scriptedProvider(['fine']);
    await expectCode(
      withFallback([scriptedProvider([refused()]), second]).generate(request()),
      'answer_refused',
    );
    expect(second.requests.length).toBe(0);
  });

  it('rejects with the last error', async () => {
    await expectCode(
      withFallback([scriptedProvider([down()]), scriptedProvider([busy()])]).generate(request()),
      'provider_rate_limited',
    );
  });

  it('promises only what all of them can do, and sends no bounds to who refuses them', async () => {
    const first = scriptedProvider([down()], {
      capabilities: { structured: 'strict', schemaSubset: 'openai' },
    });
    const second = scriptedProvider(['{}'], {
      capabilities: { structured: 'tool', schemaSubset: 'anthropic', reportsUsage: false },
    });
    const both = withFallback([first, second]);
    expect(both.capabilities).toMatchObject({
      structured: 'tool',
      schemaSubset: 'openai',
      reportsUsage: false,
    });
    const schema = (minimum: object) => ({
      type: 'object',
      properties: { minimum: { type: 'number', ...minimum } },
      required: ['minimum'],
    });
    await both.generate(request({ schema: schema({ minimum: 0 }) }));
    expect(second.requests[0]?.schema).toEqual(schema({}));
  });
});
