import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelBudget, rateLimit, withBudget, withRateLimit } from '@/blocks/models/index.js';
import type { LLMProvider, LLMRequest } from '@/core/llm-provider.js';
import { limiter } from '@/ports/limiter.js';
import { fakeClock, settle } from '@/testing/index.js';

const counter = { id: 'none', count: async () => 0 };
const capabilities = {
  structured: 'json',
  schemaSubset: 'full',
  streaming: false,
  reportsUsage: true,
  reportsCost: false,
} as const;
const request = (maxOutputTokens: number): LLMRequest => ({
  messages: [{ role: 'user', content: 'x' }],
  maxOutputTokens,
  signal: new AbortController().signal,
});

const Calls = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 30_000 }),
    expected: fc.integer({ min: 1, max: 60 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    takes: fc.integer({ min: 0, max: 90_000 }),
  }),
  {
    maxLength: 25,
  },
);

it('a rate limit is never exceeded in any minute, by calls or by tokens, and everybody gets in', async () => {
  await fc.assert(
    fc.asyncProperty(
      Calls,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 60, max: 200 }),
      async (calls, requestsPerMinute, tokensPerMinute) => {
        const clock = fakeClock();
        const started: { readonly at: number; tokens: number }[] = [];
        const provider = (takes: number, used: number): LLMProvider => ({
          id: 'p',
          capabilities,
          generate: async ({ maxOutputTokens = 0 }) => {
            const entry = { at: clock.now(), tokens: maxOutputTokens };
            started.push(entry);
            await new Promise<void>((resolve) => void clock.after(takes, resolve));
            entry.tokens = used;
            return {
              text: '',
              finish: 'stop',
              usage: { totalTokens: used },
              model: 'm',
              warnings: [],
              attempts: 1,
            };
          },
        });
        const limit = rateLimit({ requestsPerMinute, tokensPerMinute, clock });
        const out: Promise<unknown>[] = [];
        const holds = (): void => {
          const recent = started.filter(({ at }) => at > clock.now() - 60_000);
          expect(recent.length).toBeLessThanOrEqual(requestsPerMinute);
          expect(recent.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(
            tokensPerMinute,
          );
        };
        for (const { after, expected, part, takes } of calls) {
          await clock.advanceAsync(after);
          out.push(
            withRateLimit(provider(takes, Math.floor(expected * part)), limit, {
              counter,
            }).generate(request(expected)),
          );
          await clock.advanceAsync(0);
          holds();
        }
        for (let minutes = 0; minutes < 60; minutes += 1) {
          await clock.advanceAsync(30_000);
          holds();
        }
        await Promise.all(out);
        expect(started.length).toBe(calls.length);
      },
    ),
    { numRuns: 60 },
  );
});

it('a model budget is never exceeded, whatever calls run side by side', async () => {
  await fc.assert(
    fc.asyncProperty(Calls, fc.integer({ min: 1, max: 400 }), async (calls, tokens) => {
      const clock = fakeClock();
      const budget = modelBudget({ tokens });
      let out = 0;
      const settled: Promise<unknown>[] = [];
      for (const { after, expected, part, takes } of calls) {
        const used = Math.floor(expected * part);
        const provider: LLMProvider = {
          id: 'p',
          capabilities,
          generate: async () => {
            out += expected;
            expect((budget.spent.totalTokens ?? 0) + out).toBeLessThanOrEqual(tokens);
            await new Promise<void>((resolve) => void clock.after(takes, resolve));
            out -= expected;
            return {
              text: '',
              finish: 'stop',
              usage: { totalTokens: used },
              model: 'm',
              warnings: [],
              attempts: 1,
            };
          },
        };
        settled.push(
          Promise.allSettled([
            withBudget(provider, budget, { counter }).generate(request(expected)),
          ]).then(
            ([one]) =>
              one.status === 'rejected' &&
              expect(one.reason).toMatchObject({ code: 'budget_exceeded' }),
          ),
        );
        await clock.advanceAsync(after);
      }
      await clock.advanceAsync(100_000);
      await Promise.all(settled);
      expect(budget.spent.totalTokens ?? 0).toBeLessThanOrEqual(tokens);
    }),
    { numRuns: 60 },
  );
});

fc.configureGlobal({ seed: 23, numRuns: 100 });

interface Call {
  readonly age: number;
  readonly turns: number;
}

const calls = fc.array(
  fc.record({ age: fc.integer({ min: 0, max: 5 }), turns: fc.integer({ min: 0, max: 3 }) }),
  { maxLength: 40 },
);

async function turnsOf({ turns }: Call): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await settle();
}

describe('limiter', () => {
  it('never lets more calls out than it has slots, and lets every call in once', async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 5 }), async (given, concurrency) => {
        const slots = limiter({ concurrency });
        let out = 0;
        let most = 0;
        let done = 0;
        await Promise.all(
          given.map(
            (call) =>
              new Promise<void>((resolve) => {
                slots.enter(call.age, async () => {
                  most = Math.max(most, ++out);
                  await turnsOf(call);
                  out -= 1;
                  done += 1;
                  resolve();
                });
              }),
          ),
        );
        expect(most).toBeLessThanOrEqual(concurrency);
        expect(most).toBe(Math.min(concurrency, given.length));
        expect(done).toBe(given.length);
      }),
    );
  });

  it('lets in what waits by the age of its loop, and within a loop in order', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (given) => {
        const slots = limiter({ concurrency: 1 });
        let open = (): void => {};
        slots.enter(
          0,
          () =>
            new Promise((resolve) => {
              open = resolve;
            }),
        );
        await settle();
        const order: number[] = [];
        for (const [index, { age }] of given.entries())
          slots.enter(age, async () => void order.push(index));
        open();
        await settle();
        const expected = given
          .map((call, index) => ({ ...call, index }))
          .sort((a, b) => a.age - b.age || a.index - b.index);
        expect(order).toEqual(expected.map(({ index }) => index));
      }),
    );
  });
});
