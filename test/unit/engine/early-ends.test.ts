import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type PipelineOptions,
  ReviewLoopError,
  type StepContext,
} from '../../../src/index.js';

const question = { question: 'Which tea?', allowed: ['approve'], gaps: [] } as const;

/** What `produce` does, and the end of its run. */
async function endOf(
  produce: (context: StepContext) => Promise<string>,
  more: Partial<PipelineOptions<string, string>> = {},
) {
  const { status, code } = await definePipeline<string, string>({
    produce: (_, context) => produce(context),
    criteria: { fine: () => true },
    ...more,
  }).run('task', { runId: 'r' });
  return `${status} ${code}`;
}

/** The same, for a run that the caller cancels as soon as `produce` is over. */
async function endOfCancelled(
  produce: (context: StepContext) => Promise<string>,
  more: Partial<PipelineOptions<string, string>> = {},
) {
  const stop = new AbortController();
  const { status } = await definePipeline<string, string>({
    produce: (_, context) => produce(context),
    criteria: { fine: () => true },
    ...more,
  }).run('task', {
    runId: 'r',
    signal: stop.signal,
    on: { 'produce-end': () => stop.abort() },
  });
  return status;
}

const asks = async (context: StepContext): Promise<string> => {
  const { kind } = await context.ask('tea', { ...question, allowed: ['approve'] });
  return kind;
};

const reserves = async (context: StepContext): Promise<string> => {
  context.budget.reserve({ totalTokens: 50 });
  return 'x';
};

const spends = async (context: StepContext): Promise<string> => {
  context.reportUsage({ totalTokens: 50 });
  throw new Error('no ink');
};

const interrupt = Object.assign(new Error('interrupted'), { is_bubble_up: true });
const budget = { tokens: 10 } as const;

describe('a run whose produce fails', () => {
  it('is exhausted where the budget refused what it was about to use', async () => {
    expect(await endOf(reserves, { budget })).toBe('exhausted budget_tokens');
    expect(await endOf(reserves, { budget: { tokens: 50 } })).toBe('approved approved');
  });

  it('has failed where it failed in another way, whatever it used', async () => {
    expect(await endOf(spends, { budget })).toBe('failed produce_failed');
  });

  it('has failed where a limit that is not of this run was passed', async () => {
    const limit = new ReviewLoopError('budget_exceeded', 'a limit of the caller');
    expect(await endOf(() => Promise.reject(limit))).toBe('failed budget_exceeded');
  });

  it('is exhausted, and not waiting, where it asks after it used up the budget', async () => {
    const work = (context: StepContext): Promise<string> => {
      context.reportUsage({ totalTokens: 50 });
      return asks(context);
    };
    expect(await endOf(work, { budget })).toBe('exhausted budget_tokens');
    expect(await endOf(work)).toBe('suspended waiting');
  });
});

describe('a run that was cancelled', () => {
  it('says so, also where produce waits for a person', async () => {
    expect(await endOfCancelled(asks)).toBe('cancelled');
  });

  it('says so, also where the budget refused something', async () => {
    expect(await endOfCancelled(reserves, { budget })).toBe('cancelled');
  });

  it('says so, also where produce pauses a framework', async () => {
    expect(await endOfCancelled(() => Promise.reject(interrupt))).toBe('cancelled');
  });
});

describe('a run whose ranking throws', () => {
  it('has failed with what it threw, and the best version so far', async () => {
    const broken = new Error('no order');
    const outcome = await definePipeline<string, string>({
      produce: async () => 'first',
      address: async () => 'second',
      criteria: { a: () => 'no' },
      ranking: () => {
        throw broken;
      },
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'policy_failed',
      output: 'first',
      error: { cause: broken },
    });
  });
});
