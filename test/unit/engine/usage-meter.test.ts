import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { PastUsage } from '@/engine/recorded-usage.js';
import {
  memoryStore,
  type PipelineOptions,
  type ReviewerContext,
  type Store,
  type Usage,
} from '@/index.js';
import type { JournalRecord } from '@/ports/store.js';
import { throwing } from '../../support/throwing.js';
import { failed, passed, passing, pipelineOf, suspended } from './support.js';

const text = z.string();

/** Runs a judge that does this work, and waits for a person; a second call continues the run. */
function judgeOf(work: (context: ReviewerContext) => Promise<unknown>, store = memoryStore()) {
  const options = { human: { policy: 'require' }, retries: 0, store } as const;
  return pipelineOf({ work, ...options }).run('task', { runId: 'r' });
}

/** Runs a judge that does this work in two tries, and waits for a person. */
async function twice(work: (context: ReviewerContext, tries: number) => Promise<void>) {
  let tries = 0;
  const outcome = await pipelineOf({
    work: async (context) => {
      tries += 1;
      await work(context, tries);
    },
    retries: 1,
    human: { policy: 'prompt' },
  }).run('task', { runId: 'r' });
  expect(tries).toBe(2);
  return outcome;
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
    const { status, usage } = await twice(async (context, tries) => {
      await step(context, 'one', { totalTokens: 10 });
      context.reportUsage({ totalTokens: 5 });
      if (tries === 1) throw new Error('down');
      context.reportUsage({ totalTokens: 1 });
    });
    expect(status).toBe('suspended');
    expect(usage.review).toEqual({ totalTokens: 16 });
  });
});

describe('what a check that answers at once reports', () => {
  it('counts with each call, because no call is replayed', async () => {
    const store = memoryStore();
    const run = () =>
      judgeOf((context) => {
        const work = () => {
          context.reportUsage({ totalTokens: 5 });
          return 'x';
        };
        return context.check(text, work);
      }, store);
    expect((await run()).usage.review).toEqual({ totalTokens: 5 });
    expect((await run()).usage.review).toEqual({ totalTokens: 10 });
  });

  it('is recorded when it fails, so that it counts though the process ends there', async () => {
    const store = memoryStore();
    await judgeOf((context) => {
      const work = () => {
        context.reportUsage({ totalTokens: 5 });
        throw new Error('down');
      };
      return context.check(text, work);
    }, store);
    expect(await usagesOf(store)).toContainEqual({
      name: 'iter:1/review:judge/check',
      type: 'attempt',
      usage: { totalTokens: 5 },
    });
  });

  it('leaves no record when it reported nothing', async () => {
    const store = memoryStore();
    await judgeOf((context) => context.check(z.boolean(), throwing('wrong')), store);
    expect(JSON.stringify(await usagesOf(store))).not.toContain('judge');
  });
});

describe('a reserved budget', () => {
  it('is one of a review without a run too', async () => {
    const review = await pipelineOf({
      work: async (context) => {
        context.budget.reserve({ totalTokens: 100 }).settle({ totalTokens: 5 });
      },
    }).review('task', 'x');
    expect(review).toMatchObject({ complete: true, usage: { totalTokens: 5 } });
  });

  it('must fit beside what earlier processes used, also for steps that are not made again', async () => {
    const store = memoryStore();
    const run = (name: string, tokens: number) =>
      pipelineOf({
        work: async (context) => {
          await context.step(name, { input: 0, schema: text }, async () => {
            context.budget.reserve({ totalTokens: 10 }).settle({ totalTokens: 20 });
            return name;
          });
        },
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
    const outcome = await judgeOf(async (context) => {
      const work = async () => {
        context.budget.reserve({ totalTokens: 100 }).settle({});
        return 'x';
      };
      await context.step('one', { input: 0, schema: text }, work);
    }, store);
    expect(outcome.usage.review).toEqual({});
    expect(await usagesOf(store)).toContainEqual({ name: 'iter:1/review:judge/one', type: 'step' });
  });
});

it('the usage that an event tells contains that of replayed steps, as when they were made', async () => {
  const told: unknown[] = [];
  const pipeline = pipelineOf({
    produce: async (_, context) => {
      context.reportUsage({ totalTokens: 3 });
      return 'x';
    },
    human: { policy: 'require' },
  });
  const on = { 'produce-end': ({ usage }: { readonly usage: Usage }) => told.push(usage) };
  await pipeline.run('task', { runId: 'r', on });
  await pipeline.run('task', { runId: 'r', on });
  expect(told).toEqual([{ totalTokens: 3 }, { totalTokens: 3 }]);
});

const approve = { kind: 'approve', by: 'Ann' } as const;

/** A pipeline whose parts report what they use in calls, in steps, and beside them. */
function spending(more: Partial<PipelineOptions<string, string>> = {}) {
  return pipelineOf({
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
    judge: async ({ output }, context) => {
      context.reportUsage({ totalTokens: 3000 });
      await context.check(z.boolean(), async () => {
        context.reportUsage({ totalTokens: 40_000 });
        return true;
      });
      return [output === 'better' ? passed('judge') : failed('judge')];
    },
    human: { policy: 'require' },
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

  it('grows by what is reported more than before, and by no less', async () => {
    const store = memoryStore();
    const run = (totalTokens: number | undefined) =>
      judgeOf(async (context) => {
        if (totalTokens === undefined) return;
        context.reportUsage({ totalTokens, costUsd: 1 });
        await context.check(z.boolean(), async () => true);
      }, store);
    for (const [tokens, totalTokens] of [
      [10, 10],
      [15, 15],
      [undefined, 15],
      [12, 12],
    ] as const)
      expect((await run(tokens)).usage.review).toEqual({ totalTokens, costUsd: 1 });
  });

  it('of two tries of a judge is that of both calls, and once what it repeats', async () => {
    const { usage } = await twice(async (context, tries) => {
      context.reportUsage({ totalTokens: 10 });
      await context.check(z.boolean(), async () => true);
      context.reportUsage({ totalTokens: 5 });
      if (tries === 1) throw new Error('down');
    });
    expect(usage.review).toEqual({ totalTokens: 15 });
  });

  it('belongs to its part, also if the part is not come to again', async () => {
    const store = memoryStore();
    suspended(await spending({ store }).run('task', { runId: 'r' }));
    const gone = pipelineOf({ produce: async () => 'another', store });
    const outcome = await gone.run('task', { runId: 'r' });
    expect(outcome.usage).toMatchObject(all);
  });

  it('of a judge that fails counts with each try, and once when it is continued', async () => {
    const store = memoryStore();
    const work = ({ check, reportUsage }: ReviewerContext) =>
      check(z.boolean(), async () => {
        reportUsage({ totalTokens: 5 });
        throw new Error('down');
      });
    const run = () => pipelineOf({ work, retries: 1, store }).run('task', { runId: 'r' });
    expect((await run()).usage.review).toMatchObject({ totalTokens: 10 });
    expect((await run()).usage.review).toMatchObject({ totalTokens: 20 });
  });
});

describe('what a failing call used', () => {
  it('counts once wherever its run is cancelled, also when that goes on', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const stop = new AbortController();
      let isFirst = true;
      const pipeline = pipelineOf({
        produce: async (_, context) =>
          context.step('model', { input: 0, schema: z.string() }, async () => {
            context.reportUsage({ totalTokens: 10 });
            if (!isFirst) return 'x';
            isFirst = false;
            void abortAfter(turns, stop);
            throw new Error('no model');
          }),
        reviewers: [passing('judge')],
      });
      const cut = await pipeline.run('task', { runId: 'r', signal: stop.signal });
      expect(cut.status, `after ${turns} turns`).toMatch(/cancelled|failed/);
      expect(cut.usage.produce, `after ${turns} turns`).toMatchObject({ totalTokens: 10 });
      const whole = await pipeline.run('task', { runId: 'r' });
      expect(whole.status).toBe('approved');
      expect(whole.usage.produce, `after ${turns} turns`).toMatchObject({ totalTokens: 20 });
    }
  });

  it('counts once too if the end of its run is why it failed, which is no attempt', async () => {
    const stop = new AbortController();
    const attempts: number[] = [];
    const pipeline = pipelineOf({
      produce: async (_, context) =>
        context.step('model', { input: 0, schema: z.string() }, async ({ attempt, signal }) => {
          context.reportUsage({ totalTokens: 10 });
          attempts.push(attempt);
          if (attempts.length > 1) return 'x';
          stop.abort(new Error('enough'));
          throw signal.reason;
        }),
      reviewers: [passing('judge')],
    });
    const cut = await pipeline.run('task', { runId: 'r', signal: stop.signal });
    expect(cut).toMatchObject({ status: 'cancelled', usage: { produce: { totalTokens: 10 } } });
    const whole = await pipeline.run('task', { runId: 'r' });
    expect(whole.usage.produce).toMatchObject({ totalTokens: 20 });
    expect(attempts).toEqual([1, 1]);
  });
});

/** Aborts after turns of the microtask queue. */
async function abortAfter(turns: number, stop: AbortController): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  stop.abort(new Error('enough'));
}

const used = (totalTokens: number) => ({ totalTokens });

const stepOf = (name: string, tokens: number): JournalRecord => ({
  type: 'step',
  ...{ name, input: '', value: null, usage: used(tokens), at: 0 },
});

const attemptOf = (name: string, code: string, tokens?: number): JournalRecord => ({
  type: 'attempt',
  ...{ name, input: '', code, attempt: 1, message: '', at: 0 },
  ...(tokens !== undefined && { usage: used(tokens) }),
});

describe('what earlier processes of a run used', () => {
  it.each([
    ['iter:1/review:judge/call', 'review'],
    ['iter:12/review:judge', 'review'],
    ['iter:123/address/step', 'address'],
    ['iter:12/produce', 'produce'],
    ['produce/model', 'produce'],
    ['produce/review', 'produce'],
    ['lessons', 'produce'],
  ])('for %s belongs to %s', (name, phase) => {
    expect(new PastUsage([stepOf(name, 5)]).takeRest()).toEqual([[phase, used(5)]]);
  });

  it('for a step is that of its result and of its failed attempts, once', () => {
    const past = new PastUsage([attemptOf('produce/a', 'timeout', 1), stepOf('produce/a', 10)]);
    expect(past.left).toEqual(used(11));
    expect(past.others()).toEqual([]);
    expect(past.take('produce/a', false)).toEqual(used(11));
    expect(past.left).toEqual(used(0));
    expect(past.take('produce/a', false)).toBeUndefined();
    expect(past.takeRest()).toEqual([]);
  });

  it('inside a step is taken with it only where the step is not done again', () => {
    const records = [stepOf('produce', 1), stepOf('produce/a', 10), stepOf('produced', 100)];
    const again = new PastUsage(records);
    expect(again.take('produce', false)).toEqual(used(1));
    expect(again.takeRest().map(([, usage]) => usage)).toEqual([used(10), used(100)]);
    const whole = new PastUsage(records);
    expect(whole.take('produce', true)).toEqual(used(11));
    expect(whole.takeRest().map(([, usage]) => usage)).toEqual([used(100)]);
  });

  it('until a process was released belongs to the activity, not to a step', () => {
    const past = new PastUsage([
      attemptOf('iter:2/review:judge', 'released', 7),
      attemptOf('produce', 'released'),
      { type: 'end', status: 'cancelled', code: 'released', usage: { produce: used(2) }, at: 0 },
    ]);
    expect(past.others()).toEqual([
      ['review', used(7)],
      ['produce', used(2)],
    ]);
    expect(past.left).toEqual({});
    expect(past.take('iter:2/review:judge', true)).toBeUndefined();
    expect(past.takeOther('iter:2/review:judge')).toEqual(used(7));
    expect(past.takeOther('iter:2/review:judge')).toBeUndefined();
  });
});

describe('usage', () => {
  it('of a review keeps a number that did not grow [R2-061]', async () => {
    const outcome = await pipelineOf({
      address: async (output) => `${output}!`,
      judge: async (_, context) => {
        context.reportUsage({ inputTokens: 5, cachedInputTokens: 0 });
        return [failed('a')];
      },
      budget: { reviews: 2 },
    }).run('task');
    expect(outcome.reviews.map(({ usage }) => usage.cachedInputTokens)).toEqual([0, 0]);
  });

  it('is told apart from what is only reserved [R2-060]', async () => {
    const outcome = await pipelineOf({
      produce: async (_, context) => {
        context.reportUsage({ totalTokens: 100 });
        return 'x';
      },
      work: async (context) => {
        context.budget.reserve({ totalTokens: 438 });
      },
      budget: { tokens: 390 },
      retries: 0,
    }).run('task');
    expect(outcome.reason).toBe('token budget 390 exceeded: 100 used, 438 reserved');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens' });
  });
});
