import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  limiter,
  memoryStore,
  memoryVerdicts,
  type PipelineOptions,
  type ProduceContext,
  type ReviewerContext,
  type Usage,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock } from '@/testing/index.js';
import {
  deferred,
  failed,
  lettersOf,
  passed,
  pipelineOf,
  reviewer,
  suspended,
  untilNoGap,
} from './support.js';

type Work = (context: ReviewerContext) => Promise<void> | void;

const judged = (work: Work, more: Partial<PipelineOptions<string, string>> = {}) =>
  pipelineOf({ work, retries: 0, ...more }).run('task');

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
    const pipeline = pipelineOf({
      produce: async () => 'a',
      address: async (text) => `${text}a`,
      judge: async ({ output }, context) => {
        context.reportUsage(usage);
        return [output.length > 1 ? passed('judge') : failed('judge')];
      },
      policy: untilNoGap,
      budget,
    });
    pipeline.on('budget-warn', () => {
      warnings += 1;
    });
    expect((await pipeline.run('task')).approved).toBe(true);
    return warnings;
  };

  const both = { tokens: 100, costUsd: 100 };
  it.each<[object, Usage, number]>([
    [{ tokens: 100 }, { costUsd: 1 }, 1],
    [{ costUsd: 100 }, { totalTokens: 1 }, 1],
    [both, { totalTokens: 1 }, 1],
    [{ tokens: 100 }, { totalTokens: 1 }, 0],
    [{ costUsd: 100 }, { costUsd: 1 }, 0],
    [both, { totalTokens: 1, costUsd: 1 }, 0],
  ])('is warned of, if nothing reports what it limits: %j, %j, %d', async (limit, usage, times) => {
    expect(await warned(limit, usage)).toBe(times);
  });
});

describe('the usage of a review', () => {
  it('is not that of work which tells late what it used', async () => {
    let report: ((usage: Usage) => void) | undefined;
    const produce = async (_: string, { reportUsage }: ProduceContext) => {
      report = reportUsage;
      return 'x';
    };
    const work: Work = ({ reportUsage }) => {
      reportUsage({ totalTokens: 1 });
      report?.({ totalTokens: 50 });
    };
    const outcome = await judged(work, { produce });
    expect(outcome.reviews[0]?.usage).toEqual({ totalTokens: 1 });
    expect(outcome.usage.produce).toEqual({ totalTokens: 50 });
  });

  it('is not recorded again by a call that uses nothing more', async () => {
    const store = memoryStore();
    const options = { store, human: { policy: 'require' } } as const;
    const work = ({ reportUsage, check }: ReviewerContext) => {
      reportUsage({ totalTokens: 3, costUsd: 1 });
      return check(z.boolean(), async () => true);
    };
    const run = () => pipelineOf({ work, ...options }).run('task', { runId: 'r' });
    const used = suspended(await run()).usage.review;
    expect(suspended(await run()).usage.review).toEqual(used);
    const ends = (await store.read('r'))?.filter(({ type }) => type === 'end');
    expect(ends?.map((end) => 'usage' in end)).toEqual([true, false]);
  });
});

/** Judges of outputs that are long enough in the third version. */
const longerThanTwo = (...ids: string[]) =>
  ids.map((id) =>
    reviewer<string>(id, async ({ output }) => [
      output.length > 2 ? passed(id) : failed(id, `${id} of ${output}`),
    ]),
  );

/** Runs with a budget of tokens that nothing is counted against; returns reviews and warnings in order. */
async function told(more: Partial<PipelineOptions<string, string>> = {}) {
  const events: string[] = [];
  const logged: unknown[] = [];
  const pipeline = pipelineOf({
    produce: async () => 'a',
    address: async (text) => `${text}a`,
    reviewers: longerThanTwo('one', 'two'),
    policy: untilNoGap,
    budget: { tokens: 1000 },
    logger: { ...silentLogger, warn: (data) => void logged.push(data) },
    ...more,
  });
  pipeline.on('review-end', ({ iteration }) => void events.push(`review ${iteration}`));
  pipeline.on('budget-warn', ({ message }) => void events.push(`warned: ${typeof message}`));
  const outcome = await pipeline.run('task', { runId: 'r' });
  expect(outcome.approved).toBe(true);
  return { events, logged };
}

describe('a budget in tokens that nothing is counted against', () => {
  it('is warned of once, as soon as a reviewer was asked', async () => {
    const { events, logged } = await told();
    expect(events).toEqual(['review 1', 'warned: string', 'review 2', 'review 3']);
    expect(logged).toEqual([{ run: 'r' }]);
  });

  it('is no news where every verdict was kept from an earlier run', async () => {
    const verdicts = memoryVerdicts();
    expect((await told({ verdicts })).events).toContain('warned: string');
    expect((await told({ verdicts })).events).toEqual(['review 1', 'review 2', 'review 3']);
  });

  it('is warned of once one of the reviewers was asked', async () => {
    const verdicts = memoryVerdicts();
    await told({ verdicts });
    const reviewers = longerThanTwo('one', 'other');
    expect((await told({ verdicts, reviewers })).events[1]).toBe('warned: string');
  });
});

const text = z.string();

describe('what a run spends', () => {
  it('counts against the rate of the limiter, in tokens', async () => {
    const spent: number[] = [];
    const slots = { ...limiter({ concurrency: 1 }), spend: (tokens: number) => spent.push(tokens) };
    await pipelineOf({
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
      const outcome = await pipelineOf({
        judge: async (_, context) => {
          asked += 1;
          context.reportUsage({ totalTokens: 5 * 2 ** (asked - 1) });
          if (asked === 1) context.reportUsage({ totalTokens: 5 });
          throw new Error('down');
        },
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
      pipelineOf({
        store,
        work: async (context) => {
          if (step !== undefined)
            await context.step(step, { input: 0, schema: text }, async () => {
              context.reportUsage({ totalTokens: 7, costUsd });
              return 'x';
            });
        },
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
      pipelineOf({
        store,
        work: (context) =>
          context.step(name, { input: 0, schema: text }, async () => {
            calls += 1;
            context.reportUsage({ totalTokens: 20 });
            return 'x';
          }),
        ...(tokens !== undefined && { budget: { tokens } }),
        retries: 0,
      }).run('task', { runId: 'r' });
    await run('one');
    expect(await run('two', 10)).toMatchObject({ approved: false });
    expect(calls).toBe(1);
  });
});

it('the time of an iteration is left to address when the review is over, beyond the time of the review', async () => {
  const clock = fakeClock();
  const begun = deferred<void>();
  const work = deferred<string>();
  const pending = pipelineOf({
    address: () => {
      begun.resolve();
      return work.promise;
    },
    judge: async ({ output }) => (output.endsWith('!') ? [passed('r')] : [failed('r')]),
    timeouts: { reviewMs: 1000, iterationMs: 5000 },
    clock,
  }).run('task');
  await begun.promise;
  await clock.advanceAsync(3000);
  work.resolve('x!');
  expect(await pending).toMatchObject({ status: 'approved', output: 'x!' });
});

describe('budgets', () => {
  const spending = (usage: object, budget: object) =>
    pipelineOf({
      produce: async (_, context) => {
        context.reportUsage(usage);
        return 'v0';
      },
      address: async (text, _gaps, context) => {
        context.reportUsage(usage);
        return `${text}+`;
      },
      criteria: {
        never: (text) => `${text} is not enough`,
        grows: (text) => ({ passed: false, score: text.length / 100, details: 'short' }),
      },
      budget: { reviews: 10, ...budget },
    });

  it('tokens end the run as exhausted, with the best reviewed version', async () => {
    const outcome = await spending({ totalTokens: 40 }, { tokens: 100 }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens', output: 'v0+' });
    expect(outcome.reviews).toHaveLength(2);
    expect(outcome.usage.address.totalTokens).toBe(80);
  });

  it('money does too', async () => {
    const outcome = await spending({ costUsd: 1 }, { costUsd: 2 }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_cost', output: 'v0' });
  });

  it('usage that is no usage is the caller’s error', async () => {
    const outcome = await spending({ totalTokens: -1 }, {}).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'invalid_options' });
  });

  const attempting = (more: Partial<PipelineOptions<string, string>>) =>
    pipelineOf({
      produce: async () => 'v',
      address: async (text) => `${text}+`,
      criteria: { never: () => 'no' },
      budget: { reviews: 10 },
      ...more,
    }).run('task');

  it('without progress the loop ends although iterations are left', async () => {
    let attempt = 0;
    const outcome = await attempting({ address: async (text) => `${text}${++attempt}` });
    expect(outcome).toMatchObject({ status: 'stalled', code: 'gap_unfixed' });
    expect(outcome.reviews).toHaveLength(3);
  });

  it('an attempt that makes a rejected version again is not reviewed again', async () => {
    const outcome = await attempting({});
    expect(outcome).toMatchObject({ status: 'stalled', code: 'oscillation', output: 'v' });
    expect(outcome.reviews).toHaveLength(2);
  });

  it('a gap whose criterion gets better with every attempt is progress', async () => {
    const long = (text: string) => {
      const score = Math.min(1, text.length / 6);
      return { passed: score === 1, score, details: `${text.length} of 6` };
    };
    const outcome = await attempting({ criteria: { long } });
    expect(outcome).toMatchObject({ approved: true, output: 'v+++++' });
  });

  it('attempts that break more than they repair end the run as stalled, with the best version', async () => {
    const texts = ['abc', 'xa', 'xb'];
    const outcome = await pipelineOf({
      produce: async () => texts.shift() ?? '',
      address: async () => texts.shift() ?? '',
      criteria: lettersOf('abcx'),
      budget: { reviews: 10 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'harmful', output: 'abc' });
  });
});

describe('a budget against odd estimates', () => {
  const budget = { tokens: 10 };

  it.each([{ inputTokens: Number.NaN }, { totalTokens: -1000 }, { costUsd: '1' }, null])(
    'is not opened by an estimate that is no usage: %j',
    async (estimate) => {
      const work: Work = (context) => void context.budget.reserve(estimate as never);
      const outcome = await judged(work, { budget });
      expect(outcome).toMatchObject({
        status: 'inconclusive',
        reviews: [{ assessments: [{ verdict: 'errored', error: { code: 'invalid_options' } }] }],
      });
    },
  );

  it('keeps what was set aside where what was used is no usage', async () => {
    const work: Work = (context) => {
      const { settle } = context.budget.reserve({ totalTokens: 8 });
      expect(() => settle({ totalTokens: -1000 })).toThrow(/usage is invalid/);
      context.budget.reserve({ totalTokens: 5 });
    };
    const outcome = await judged(work, { budget });
    expect(outcome).toMatchObject({ approved: false, code: 'budget_tokens' });
  });
});
