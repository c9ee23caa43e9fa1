import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  memoryStore,
  type ReviewerContext,
  type Store,
  type Usage,
} from '../../../src/index.js';
import { passed, reviewer } from './support.js';

const text = z.string();

/** Runs a judge that does this work, and waits for a person; a second call continues the run. */
function judgeOf(work: (context: ReviewerContext) => Promise<unknown>, store = memoryStore()) {
  return definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      reviewer('judge', async (_, context) => {
        await work(context);
        return [passed('judge')];
      }),
    ],
    human: { policy: 'require' },
    retries: 0,
    store,
  }).run('task', { runId: 'r' });
}

const step = (context: ReviewerContext, name: string, usage?: Usage) =>
  context.step(name, { input: 0, schema: text }, async () => {
    if (usage !== undefined) context.reportUsage(usage);
    return name;
  });

async function usagesOf(store: Store): Promise<readonly unknown[]> {
  const records = (await store.read('r')) ?? [];
  return records.flatMap((record) =>
    record.type === 'step' || record.type === 'attempt'
      ? [{ name: record.name, type: record.type, ...(record.usage && { usage: record.usage }) }]
      : [],
  );
}

describe('what work reports outside of its steps', () => {
  it('counts with each process in which its steps were made, not replayed', async () => {
    const store = memoryStore();
    const run = (name: string, isFirst: boolean) =>
      judgeOf(async (context) => {
        if (isFirst) context.reportUsage({ totalTokens: 5 });
        await step(context, name);
        if (!isFirst) context.reportUsage({ totalTokens: 7 });
      }, store);
    expect((await run('one', true)).usage.review).toEqual({ totalTokens: 5 });
    expect((await run('two', false)).usage.review).toEqual({ totalTokens: 12 });
  });

  it('stays counted if work whose steps are replayed reports nothing this time', async () => {
    const store = memoryStore();
    const run = (totalTokens?: number) =>
      judgeOf(async (context) => {
        await step(context, 'one');
        if (totalTokens !== undefined) context.reportUsage({ totalTokens });
        await step(context, 'two');
      }, store);
    expect((await run(5)).usage.review).toEqual({ totalTokens: 5 });
    expect((await run()).usage.review).toEqual({ totalTokens: 5 });
  });

  it('counts once if a judge that is asked again repeats it after its steps', async () => {
    let tries = 0;
    const { status, usage } = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('judge', async (_, context) => {
          tries += 1;
          await step(context, 'one', { totalTokens: 10 });
          context.reportUsage({ totalTokens: 5 });
          if (tries === 1) throw new Error('down');
          context.reportUsage({ totalTokens: 1 });
          return [passed('judge')];
        }),
      ],
      retries: 1,
      human: { policy: 'prompt' },
    }).run('task', { runId: 'r' });
    expect([tries, status]).toEqual([2, 'suspended']);
    expect(usage.review).toEqual({ totalTokens: 16 });
  });
});

describe('what a check that answers at once reports', () => {
  it('counts with each call, because no call is replayed', async () => {
    const store = memoryStore();
    const run = () =>
      judgeOf(
        (context) =>
          context.check(z.boolean(), () => {
            context.reportUsage({ totalTokens: 5 });
            return true;
          }),
        store,
      );
    expect((await run()).usage.review).toEqual({ totalTokens: 5 });
    expect((await run()).usage.review).toEqual({ totalTokens: 10 });
  });

  it('is recorded when it fails, so that it counts though the process ends there', async () => {
    const store = memoryStore();
    await judgeOf(
      (context) =>
        context.check(z.boolean(), () => {
          context.reportUsage({ totalTokens: 5 });
          throw new Error('down');
        }),
      store,
    );
    expect(await usagesOf(store)).toContainEqual({
      name: 'iter:1/review:judge/check',
      type: 'attempt',
      usage: { totalTokens: 5 },
    });
  });

  it('leaves no record when it reported nothing', async () => {
    const store = memoryStore();
    await judgeOf(
      (context) =>
        context.check(z.boolean(), () => {
          throw new Error('wrong');
        }),
      store,
    );
    expect(
      (await usagesOf(store)).filter((record) => JSON.stringify(record).includes('judge')),
    ).toEqual([]);
  });
});

describe('a reserved budget', () => {
  it('is settled once: what is said after that does not count', async () => {
    const outcome = await judgeOf((context) =>
      context.step('one', { input: 0, schema: text }, async () => {
        const { settle } = context.budget.reserve({ totalTokens: 100 });
        settle({ totalTokens: 5 });
        settle({ totalTokens: 7 });
        return 'x';
      }),
    );
    expect(outcome).toMatchObject({ status: 'suspended', usage: { review: { totalTokens: 5 } } });
  });

  it('is one of a review without a run too', async () => {
    const review = await definePipeline<string, string>({
      reviewers: [
        reviewer('judge', async (_, context) => {
          context.budget.reserve({ totalTokens: 100 }).settle({ totalTokens: 5 });
          return [passed('judge')];
        }),
      ],
    }).review('task', 'x');
    expect(review).toMatchObject({ complete: true, usage: { totalTokens: 5 } });
  });

  it('must fit beside what earlier processes used, also for steps that are not made again', async () => {
    const store = memoryStore();
    const run = (name: string, tokens: number) =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer('judge', async (_, context) => {
            await context.step(name, { input: 0, schema: text }, async () => {
              context.budget.reserve({ totalTokens: 10 }).settle({ totalTokens: 20 });
              return name;
            });
            return [passed('judge')];
          }),
        ],
        human: { policy: 'require' },
        budget: { tokens },
        retries: 0,
        store,
      }).run('task', { runId: 'r' });
    expect(await run('one', 100)).toMatchObject({ status: 'suspended' });
    expect(await run('two', 29)).toMatchObject({ status: 'exhausted', code: 'budget_tokens' });
    expect(await run('two', 30)).toMatchObject({ usage: { review: { totalTokens: 40 } } });
  });

  it('that is settled with nothing leaves the usage unknown, also in the record', async () => {
    const store = memoryStore();
    const outcome = await judgeOf(
      (context) =>
        context.step('one', { input: 0, schema: text }, async () => {
          context.budget.reserve({ totalTokens: 100 }).settle({});
          return 'x';
        }),
      store,
    );
    expect(outcome.usage.review).toEqual({});
    expect(await usagesOf(store)).toContainEqual({ name: 'iter:1/review:judge/one', type: 'step' });
  });
});

describe('the usage that an event tells', () => {
  it('contains that of replayed steps, as when they were made', async () => {
    const told: unknown[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async (_, context) => {
        context.reportUsage({ totalTokens: 3 });
        return 'x';
      },
      criteria: { fine: () => true },
      human: { policy: 'require' },
      store: memoryStore(),
    });
    const on = { 'produce-end': ({ usage }: { readonly usage: Usage }) => told.push(usage) };
    await pipeline.run('task', { runId: 'r', on });
    await pipeline.run('task', { runId: 'r', on });
    expect(told).toEqual([{ totalTokens: 3 }, { totalTokens: 3 }]);
  });
});
