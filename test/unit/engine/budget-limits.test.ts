import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type ReviewerContext,
  type Usage,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended, untilNoGap } from './support.js';

type Work = (context: ReviewerContext) => Promise<void> | void;

/** Runs with one reviewer that does this work, and passes. */
const judged = (work: Work, more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      reviewer('judge', async (_, context) => {
        await work(context);
        return [passed('judge')];
      }),
    ],
    retries: 0,
    ...more,
  }).run('task');

describe('a budget', () => {
  it('in money alone ends the tries of a judge that failed', async () => {
    let asked = 0;
    const work: Work = ({ reportUsage }) => {
      asked += 1;
      reportUsage({ costUsd: 2 });
      throw new Error('down');
    };
    const outcome = await judged(work, { budget: { costUsd: 1 }, retries: 2 });
    expect(asked).toBe(1);
    expect(outcome).toMatchObject({
      status: 'exhausted',
      code: 'budget_cost',
      reviews: [{ assessments: [{ verdict: 'errored', error: { code: 'budget_exceeded' } }] }],
    });
  });

  it('has room for a call that is expected to use all of it', async () => {
    const exactly: Work = ({ budget }) => {
      budget.reserve({ totalTokens: 10 }).settle({ totalTokens: 4 });
      budget.reserve({ totalTokens: 6 }).settle({ totalTokens: 5 });
    };
    expect(await judged(exactly, { budget: { tokens: 10 } })).toMatchObject({ status: 'approved' });
    const more: Work = ({ budget }) => void budget.reserve({ totalTokens: 11 });
    expect(await judged(more, { budget: { tokens: 10 } })).toMatchObject({ code: 'budget_tokens' });
  });

  it('is given back once, and what was used counts once, however often a call is settled', async () => {
    const work: Work = ({ budget }) => {
      budget.reserve({ totalTokens: 3 });
      const { settle } = budget.reserve({ totalTokens: 4 });
      settle({ totalTokens: 1 });
      settle({ totalTokens: 1 });
      expect(() => budget.reserve({ totalTokens: 7 })).toThrow(/token budget 10/);
    };
    const outcome = await judged(work, { budget: { tokens: 10 } });
    expect(outcome.usage.review).toEqual({ totalTokens: 1 });
  });
});

describe('a budget that is not counted against', () => {
  const warned = async (budget: { tokens?: number; costUsd?: number }, usage: Usage) => {
    let warnings = 0;
    const pipeline = definePipeline<string, string>({
      produce: async () => 'a',
      address: async (text) => `${text}a`,
      reviewers: [
        reviewer<string>('judge', async ({ output }, context) => {
          context.reportUsage(usage);
          return [output.length > 1 ? passed('judge') : failed('judge')];
        }),
      ],
      policy: untilNoGap,
      budget,
    });
    pipeline.on('budget-warn', () => {
      warnings += 1;
    });
    expect((await pipeline.run('task')).approved).toBe(true);
    return warnings;
  };

  it('is warned of, in tokens and in money', async () => {
    expect(await warned({ tokens: 100 }, { costUsd: 1 })).toBe(1);
    expect(await warned({ costUsd: 100 }, { totalTokens: 1 })).toBe(1);
    expect(await warned({ tokens: 100, costUsd: 100 }, { totalTokens: 1 })).toBe(1);
  });

  it('is not, where the usage that it limits is reported', async () => {
    expect(await warned({ tokens: 100 }, { totalTokens: 1 })).toBe(0);
    expect(await warned({ costUsd: 100 }, { costUsd: 1 })).toBe(0);
    expect(await warned({ tokens: 100, costUsd: 100 }, { totalTokens: 1, costUsd: 1 })).toBe(0);
  });
});

describe('the usage of a review', () => {
  it('is not that of work which tells late what it used', async () => {
    let report: ((usage: Usage) => void) | undefined;
    const outcome = await judged(
      ({ reportUsage }) => {
        reportUsage({ totalTokens: 1 });
        report?.({ totalTokens: 50 });
      },
      {
        produce: async (_, context) => {
          report = (usage) => context.reportUsage(usage);
          return 'x';
        },
      },
    );
    expect(outcome.reviews[0]?.usage).toEqual({ totalTokens: 1 });
    expect(outcome.usage.produce).toEqual({ totalTokens: 50 });
  });

  it('is not recorded again by a call that uses nothing more', async () => {
    const store = memoryStore();
    const options = {
      store,
      human: { policy: 'require' },
    } as const;
    const run = () =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer('judge', async (_, context) => {
            context.reportUsage({ totalTokens: 3, costUsd: 1 });
            await context.check(z.boolean(), async () => true);
            return [passed('judge')];
          }),
        ],
        ...options,
      }).run('task', { runId: 'r' });
    const used = suspended(await run()).usage.review;
    expect(suspended(await run()).usage.review).toEqual(used);
    const ends = (await store.read('r'))?.filter(({ type }) => type === 'end');
    expect(ends?.map((end) => 'usage' in end)).toEqual([true, false]);
  });
});
