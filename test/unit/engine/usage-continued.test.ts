import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore, type PipelineOptions } from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const approve = { kind: 'approve', by: 'Ann' } as const;

/** A pipeline whose parts report what they use in calls, in steps, and beside them. */
function spending(more: Partial<PipelineOptions<string, string>> = {}) {
  return definePipeline<string, string>({
    produce: async (_, context) => {
      context.reportUsage({ totalTokens: 1 });
      await context.step('model', { input: 0, schema: z.string() }, async () => {
        context.reportUsage({ totalTokens: 10 });
        return 'x';
      });
      return 'draft';
    },
    address: async (_output, _gaps, context) => {
      context.reportUsage({ totalTokens: 200 });
      return 'better';
    },
    reviewers: [
      reviewer('judge', async ({ output }, context) => {
        context.reportUsage({ totalTokens: 3000 });
        await context.check(z.boolean(), async () => {
          context.reportUsage({ totalTokens: 40_000 });
          return true;
        });
        return [output === 'better' ? passed('judge') : failed('judge')];
      }),
    ],
    human: { policy: 'require' },
    store: memoryStore(),
    ...more,
  });
}

describe('what a run used', () => {
  const all = {
    produce: { totalTokens: 11 },
    review: { totalTokens: 86_000 },
    address: { totalTokens: 200 },
  };

  it('counts once, however often it is continued', async () => {
    const pipeline = spending();
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(waiting.usage).toMatchObject(all);
    for (let times = 0; times < 2; times += 1)
      expect((await pipeline.run('task', { runId: 'r' })).usage).toMatchObject(all);
    const outcome = await pipeline.answer(waiting.requests[0], approve);
    expect(outcome).toMatchObject({ status: 'approved', usage: all });
    expect(outcome.reviews.map(({ usage }) => usage.totalTokens)).toEqual([43_000, 43_000]);
  });

  it('counts towards the budget of the run that goes on', async () => {
    for (const [tokens, code] of [
      [86_211, 'budget_tokens'],
      [86_212, 'output_unchanged'],
    ] as const) {
      const kept = memoryStore();
      const waiting = suspended(await spending({ store: kept }).run('task', { runId: 'r' }));
      const outcome = await spending({ store: kept, budget: { tokens } }).answer(
        waiting.requests[0],
        { kind: 'revise', by: 'Ann', note: 'shorter' },
      );
      expect(outcome.code).toBe(code);
    }
  });

  it('counts once, also if it is not reported again after that', async () => {
    const store = memoryStore();
    for (let times = 0; times < 3; times += 1)
      await spending({ store }).run('task', { runId: 'r' });
    const gone = spending({ store, reviewers: [], criteria: { fine: () => true } });
    expect((await gone.run('task', { runId: 'r' })).usage).toMatchObject(all);
  });

  it('grows by what is reported more than before, and by no less', async () => {
    const store = memoryStore();
    const run = (tokens: number | undefined) =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer('judge', async (_, context) => {
            if (tokens === undefined) return [passed('judge')];
            context.reportUsage({ totalTokens: tokens, costUsd: 1 });
            await context.check(z.boolean(), async () => true);
            return [passed('judge')];
          }),
        ],
        human: { policy: 'require' },
        store,
      }).run('task', { runId: 'r' });
    expect((await run(10)).usage.review).toEqual({ totalTokens: 10, costUsd: 1 });
    expect((await run(15)).usage.review).toEqual({ totalTokens: 15, costUsd: 1 });
    expect((await run(undefined)).usage.review).toEqual({ totalTokens: 15, costUsd: 1 });
    expect((await run(12)).usage.review).toEqual({ totalTokens: 12, costUsd: 1 });
  });

  it('of two tries of a judge is that of both calls, and once what it repeats', async () => {
    let tries = 0;
    const { usage } = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('judge', async (_, context) => {
          tries += 1;
          context.reportUsage({ totalTokens: 10 });
          await context.check(z.boolean(), async () => true);
          context.reportUsage({ totalTokens: 5 });
          if (tries === 1) throw new Error('down');
          return [passed('judge')];
        }),
      ],
      retries: 1,
      human: { policy: 'prompt' },
    }).run('task', { runId: 'r' });
    expect(tries).toBe(2);
    expect(usage.review).toEqual({ totalTokens: 15 });
  });

  it('belongs to its part, also if the part is not come to again', async () => {
    const store = memoryStore();
    suspended(await spending({ store }).run('task', { runId: 'r' }));
    const gone = definePipeline<string, string>({
      produce: async () => 'another',
      criteria: { fine: () => true },
      store,
    });
    const outcome = await gone.run('task', { runId: 'r' });
    expect(outcome.usage).toMatchObject(all);
  });

  it('of a judge that fails counts with each try, and once when it is continued', async () => {
    const store = memoryStore();
    const run = () =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer('down', async (_, context) => {
            await context.check(z.boolean(), async () => {
              context.reportUsage({ totalTokens: 5 });
              throw new Error('down');
            });
            return [];
          }),
        ],
        retries: 1,
        store,
      }).run('task', { runId: 'r' });
    expect((await run()).usage.review).toMatchObject({ totalTokens: 10 });
    expect((await run()).usage.review).toMatchObject({ totalTokens: 20 });
  });
});
