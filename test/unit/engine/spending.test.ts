import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, limiter, memoryStore, type Usage } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { deferred, failed, passed, reviewer } from './support.js';

const text = z.string();

describe('what a run spends', () => {
  it('counts against the rate of the limiter, in tokens', async () => {
    const spent: number[] = [];
    const slots = { ...limiter({ concurrency: 1 }), spend: (tokens: number) => spent.push(tokens) };
    await definePipeline<string, string>({
      produce: async (_, { reportUsage }) => {
        reportUsage({ inputTokens: 5, outputTokens: 2 });
        reportUsage({ costUsd: 1 });
        return 'x';
      },
      criteria: { a: () => true },
      limiter: slots as never,
    }).run('task');
    expect(spent).toEqual([7, 0]);
  });

  it('ends the tries of a judge that failed once it is more than the budget', async () => {
    for (const [tokens, tries] of [
      [10, 2],
      [9, 1],
    ] as const) {
      let asked = 0;
      const outcome = await definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer('fails', async (_, context) => {
            asked += 1;
            context.reportUsage({ totalTokens: 5 * 2 ** (asked - 1) });
            if (asked === 1) context.reportUsage({ totalTokens: 5 });
            throw new Error('down');
          }),
        ],
        budget: { tokens },
        retries: 1,
      }).run('task');
      expect(asked, `with ${tokens} tokens`).toBe(tries);
      expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens' });
    }
  });

  it('contains what earlier processes used for steps that this one did not come to', async () => {
    const store = memoryStore();
    const run = (step: string | undefined, costUsd: number) =>
      definePipeline<string, string>({
        produce: async () => 'x',
        store,
        reviewers: [
          reviewer('r', async (_, context) => {
            if (step !== undefined)
              await context.step(step, { input: 0, schema: text }, async () => {
                context.reportUsage({ totalTokens: 7, costUsd });
                return 'x';
              });
            return [passed('r')];
          }),
        ],
      }).run('task', { runId: 'r' });
    await run('one', 1);
    const { usage } = await run('two', 0.5);
    expect(usage.review).toMatchObject({ totalTokens: 14, costUsd: 1.5 } satisfies Usage);
    expect((await run(undefined, 0)).usage.review).toMatchObject({ totalTokens: 14, costUsd: 1.5 });
  });

  it('lets no continued run begin a call where earlier processes used up the budget', async () => {
    const store = memoryStore();
    let calls = 0;
    const run = (name: string, tokens?: number) =>
      definePipeline<string, string>({
        produce: async () => 'x',
        store,
        reviewers: [
          reviewer('r', async (_, context) => {
            await context.step(name, { input: 0, schema: text }, async () => {
              calls += 1;
              context.reportUsage({ totalTokens: 20 });
              return 'x';
            });
            return [passed('r')];
          }),
        ],
        ...(tokens !== undefined && { budget: { tokens } }),
        retries: 0,
      }).run('task', { runId: 'r' });
    await run('one');
    expect(await run('two', 10)).toMatchObject({ approved: false });
    expect(calls).toBe(1);
  });
});

describe('the time of an iteration', () => {
  it('is left to address when the review is over, beyond the time of the review', async () => {
    const clock = fakeClock();
    const begun = deferred<void>();
    const work = deferred<string>();
    const pending = definePipeline<string, string>({
      produce: async () => 'x',
      address: () => {
        begun.resolve();
        return work.promise;
      },
      reviewers: [
        reviewer<string>('r', async ({ output }) =>
          output.endsWith('!') ? [passed('r')] : [failed('r')],
        ),
      ],
      timeouts: { reviewMs: 1000, iterationMs: 5000 },
      clock,
    }).run('task');
    await begun.promise;
    await clock.advanceAsync(3000);
    work.resolve('x!');
    expect(await pending).toMatchObject({ status: 'approved', output: 'x!' });
  });
});
