import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  criterion,
  type LLMProvider,
  llmCriterion,
  type ReviewCriterion,
  SelfReviewLoop,
  textOutput,
} from '../../../src/index.js';
import { autonomous, fast } from '../../../src/pipeline/trust.js';
import type { LearnableRun } from '../../../src/ports/lesson-store.js';
import { checklistJudge } from '../../support/checklist-judge.js';

const request = agentRequest({ id: 'task-1', description: 'tea' });
const produce = async () => textOutput('tea');
const judgeOf = (id: string) =>
  checklistJudge([{ question: /explain/, found: /oolong/, reason: 'oolong is not explained' }], {
    id,
  });
const explained = llmCriterion<AgentOutput, AgentRequest>({
  id: 'clear',
  question: 'Does it explain every term?',
});

/** Criteria whose requirements the output covers in half. */
function halfCovered(...criteria: ReviewCriterion[]): AgentReviewCriteria {
  return {
    agentId: 'half',
    criteria,
    extractRequirements: async () => ['one', 'two'],
    checkRequirementCovered: async (requirement) => ({
      requirement,
      source: 'explicit',
      covered: requirement === 'one',
      coverageDetails: '',
      confidence: 1,
    }),
  };
}

describe('the configuration of one execution', () => {
  const half = { config: { completenessThreshold: 0.5, qualityThreshold: 0.5 } };
  const ok = criterion<AgentOutput, AgentRequest>('ok', () => true);

  it('sets how many requirements are enough, for this execution only', async () => {
    const loop = new SelfReviewLoop(halfCovered(ok));
    const statusWith = async (options: object) =>
      (await loop.run(request, produce, undefined, options)).outcome.status;
    expect(await statusWith(half)).toBe('approved');
    expect(await statusWith({})).not.toBe('approved');
    const lenient = new SelfReviewLoop(halfCovered(ok), half.config);
    const strict = { config: { completenessThreshold: 0.9 } };
    expect((await lenient.run(request, produce)).outcome.status).toBe('approved');
    expect((await lenient.run(request, produce, undefined, strict)).outcome.status).not.toBe(
      'approved',
    );
  });

  it('keeps the provider, the trust and the judges of the loop', async () => {
    const [judge, other] = [judgeOf('judge'), judgeOf('other')];
    const loop = new SelfReviewLoop(
      halfCovered(explained),
      {},
      { provider: judge, trust: fast, confirmWith: other },
    );
    const { outcome } = await loop.run(request, produce, undefined, half);
    expect(outcome.status).toBe('approved');
    expect([judge.requests.length, other.requests.length]).toEqual([1, 1]);
  });

  it('keeps the provider of a loop without trust', async () => {
    const judge = judgeOf('judge');
    const loop = new SelfReviewLoop(halfCovered(explained), {}, { provider: judge });
    const { outcome } = await loop.run(request, produce, undefined, half);
    expect(outcome.status).toBe('approved');
    expect(judge.requests).toHaveLength(1);
  });

  it('limits the reviews, before the limits of the loop and of its trust', async () => {
    let round = 0;
    const growing = async () => textOutput(`tea ${++round}`);
    const never = criterion<AgentOutput, AgentRequest>('never', () => ({
      passed: false,
      score: 0.7 + ++round / 100,
      details: `no ${round}`,
    }));
    const reviewsOf = async (own: number | undefined, of: number | undefined) => {
      round = 0;
      const config = of === undefined ? {} : { maxIterations: of };
      const loop = new SelfReviewLoop([never], config, { trust: autonomous });
      const options = own === undefined ? {} : { config: { maxIterations: own } };
      return (await loop.run(request, growing, growing, options)).outcome.reviews.length;
    };
    expect(await reviewsOf(2, 4)).toBe(2);
    expect(await reviewsOf(2, undefined)).toBe(2);
    expect(await reviewsOf(undefined, 4)).toBe(4);
    expect(await reviewsOf(undefined, undefined)).toBe(autonomous.reviews);
  });
});

describe('a loop', () => {
  it('tells its listeners of the events of every execution', async () => {
    const loop = new SelfReviewLoop([criterion<AgentOutput, AgentRequest>('ok', () => true)]);
    const heard: string[] = [];
    loop.on('review-end', ({ runId }) => void heard.push(runId));
    for (const runId of ['a', 'b']) await loop.run(request, produce, undefined, { runId });
    expect(heard).toEqual(['a', 'b']);
  });

  it('asks its models also where a check by code has failed', async () => {
    const judge = judgeOf('judge');
    const failing = criterion<AgentOutput, AgentRequest>('a', () => 'no', { severity: 'critical' });
    await new SelfReviewLoop([failing, explained], {}, { provider: judge }).run(request, produce);
    expect(judge.requests).toHaveLength(1);
  });

  it('names the addressGaps that lacks a model', async () => {
    const addressGaps = Object.assign(async (output: AgentOutput) => output, {
      withProvider: (_: LLMProvider) => async (output: AgentOutput) => output,
    });
    const loop = new SelfReviewLoop([criterion<AgentOutput, AgentRequest>('a', () => 'no')]);
    const run = loop.run(request, produce, addressGaps);
    await expect(run).rejects.toMatchObject({ code: 'provider_missing' });
    await expect(run).rejects.toThrow('addressGaps');
  });

  it('fixes nothing without addressGaps, also under trust', async () => {
    const loop = new SelfReviewLoop(
      [criterion<AgentOutput, AgentRequest>('a', () => 'no', { severity: 'minor' })],
      { escalateAfterIterations: 3 },
      { trust: fast },
    );
    const { outcome } = await loop.run(request, produce);
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'no_address' });
  });

  it('throws the error of the outcome where nothing was produced', async () => {
    const cause = new Error('model down');
    const loop = new SelfReviewLoop([criterion<AgentOutput, AgentRequest>('a', () => true)]);
    await expect(
      loop.execute(request, async () => {
        throw cause;
      }),
    ).rejects.toMatchObject({ code: 'produce_failed', cause });
  });
});

describe('the lessons of a loop', () => {
  const failing = criterion<AgentOutput, AgentRequest>('a', () => 'no', { severity: 'minor' });

  it('reach the author, for this task', async () => {
    const tasks: unknown[] = [];
    let lessons: string | undefined;
    await new SelfReviewLoop([failing]).run(
      request,
      async (context) => {
        lessons = context.lessons;
        return textOutput('tea');
      },
      undefined,
      {
        learn: {
          relevantTo: async (task) => {
            tasks.push(task);
            return 'name the variety';
          },
        },
      },
    );
    expect(lessons).toContain('name the variety');
    expect(tasks).toContainEqual(request);
  });

  it('are captured from the gaps of all reviews together, each once', async () => {
    const two = [
      failing,
      criterion<AgentOutput, AgentRequest>('b', () => 'no', { severity: 'minor' }),
    ];
    const captured: LearnableRun[] = [];
    const learn = {
      relevantTo: async () => '',
      capture: async (run: LearnableRun) => void captured.push(run),
    };
    const capturedBy = async (criteria: ReviewCriterion[], learningThresholdGaps: number) => {
      captured.length = 0;
      await new SelfReviewLoop(criteria, { learningThresholdGaps }).run(
        request,
        produce,
        undefined,
        { learn },
      );
      return captured.length;
    };
    expect(await capturedBy([failing], 2)).toBe(0);
    expect(await capturedBy(two, 2)).toBe(1);
    expect(await capturedBy(two, 3)).toBe(0);
  });

  it('need no capture', async () => {
    const logged: unknown[] = [];
    const log = (fields: object) => void logged.push(fields);
    const logger = { debug: () => {}, info: () => {}, warn: log, error: log };
    await new SelfReviewLoop([failing], { learningThresholdGaps: 1 }, { logger }).run(
      request,
      produce,
      undefined,
      { learn: { relevantTo: async () => '' } },
    );
    expect(logged).toEqual([]);
  });
});
