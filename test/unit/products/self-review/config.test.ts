import { describe, expect, it } from 'vitest';
import { autonomous, fast } from '@/blocks/pipeline/trust-presets.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  criterion,
  type LLMProvider,
  type ReviewCriterion,
  SelfReviewLoop,
  textOutput,
} from '@/index.js';
import type { LearnableRun } from '@/ports/lesson-store.js';
import { silentLogger } from '@/ports/logger.js';
import { isAgentRequest, taskIdOf } from '@/products/self-review/agent-context.js';
import { agentReviewers } from '@/products/self-review/agent-reviewers.js';
import { selfReviewConfig } from '@/products/self-review/config.js';
import { SelfReviewConfigSchema } from '@/schemas.js';
import { errorWith } from '../../../support/matchers.js';
import { agentCriteria, explained, judgeOf } from './support.js';

const request = agentRequest({ id: 'task-1', description: 'tea' });
const produce = async (): Promise<AgentOutput> => textOutput('tea');
const check = (id: string, validate: () => true | string) =>
  criterion<AgentOutput, AgentRequest>(id, validate, { severity: 'minor' });
const ok = check('ok', () => true);
const failing = check('a', () => 'no');

/** Criteria whose requirements the output covers in half. */
const halfCovered = (...criteria: ReviewCriterion[]) =>
  agentCriteria(criteria, { one: true, two: false });

describe('the configuration of one execution', () => {
  const half = { config: { completenessThreshold: 0.5, qualityThreshold: 0.5 } };

  it('sets how many requirements are enough, for this execution only', async () => {
    const loop = new SelfReviewLoop(halfCovered(ok));
    const statusWith = async (options: object, of = loop) =>
      (await of.run(request, produce, undefined, options)).outcome.status;
    expect(await statusWith(half)).toBe('approved');
    expect(await statusWith({})).not.toBe('approved');
    const lenient = new SelfReviewLoop(halfCovered(ok), half.config);
    const strict = { config: { completenessThreshold: 0.9 } };
    expect(await statusWith({}, lenient)).toBe('approved');
    expect(await statusWith(strict, lenient)).not.toBe('approved');
  });

  it('keeps the provider, the trust and the judges of the loop', async () => {
    const [judge, other] = [judgeOf('judge'), judgeOf('other')];
    const ports = { provider: judge, trust: fast, confirmWith: other };
    const loop = new SelfReviewLoop(halfCovered(explained), {}, ports);
    expect((await loop.run(request, produce, undefined, half)).outcome.status).toBe('approved');
    expect([judge.requests.length, other.requests.length]).toEqual([1, 1]);
  });

  it('keeps the provider and the criteria of a loop without trust', async () => {
    const judge = judgeOf('judge');
    const loop = new SelfReviewLoop(halfCovered(ok, explained), {}, { provider: judge });
    const { outcome } = await loop.execute(request, produce, undefined, half);
    expect(outcome.status).toBe('approved');
    const criteria = outcome.reviews[0]?.assessments.map(({ criterion: id }) => id);
    expect(criteria).toEqual(expect.arrayContaining(['ok', 'clear']));
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
    const reviewsOf = async (own: number | undefined, of?: number, ports = {}) => {
      round = 0;
      const loop = new SelfReviewLoop(
        [never],
        of === undefined ? {} : { maxIterations: of },
        ports,
      );
      const options = { config: { maxIterations: own } };
      return (await loop.run(request, growing, growing, options)).outcome.reviews.length;
    };
    const trust = { trust: autonomous };
    expect([await reviewsOf(1, 2), await reviewsOf(undefined, 2)]).toEqual([1, 2]);
    expect([await reviewsOf(2, 4, trust), await reviewsOf(2, undefined, trust)]).toEqual([2, 2]);
    expect(await reviewsOf(undefined, 4, trust)).toBe(4);
    expect(await reviewsOf(undefined, undefined, trust)).toBe(autonomous.reviews);
  });
});

describe('a loop', () => {
  it('tells its listeners what every run does', async () => {
    const heard: [string, number][] = [];
    const loop = new SelfReviewLoop([failing]);
    loop.on('review-end', ({ runId, review }) => void heard.push([runId, review.gaps.length]));
    for (const runId of ['a', 'b']) await loop.run(request, produce, undefined, { runId });
    expect(heard).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('passes lessons for the task on, and captures runs with enough different gaps', async () => {
    const captured: LearnableRun[] = [];
    const asked: unknown[] = [];
    const prompts: string[] = [];
    const learn = {
      relevantTo: async (task: unknown) => {
        asked.push(task);
        return 'Tea is a drink.';
      },
      capture: async (run: LearnableRun) => void captured.push(run),
    };
    const author = async ({ lessons }: { lessons: string }) => {
      prompts.push(lessons);
      return textOutput('coffee');
    };
    /** Returns how many runs were captured, once with lessons of the loop and once with those of the run. */
    const capturedBy = async (criteria: ReviewCriterion[], learningThresholdGaps: number) => {
      captured.length = 0;
      const config = { learningThresholdGaps, maxIterations: 2 };
      const water = async () => textOutput('water');
      await new SelfReviewLoop(criteria, config, { learn }).run(request, author, water);
      await new SelfReviewLoop(criteria, config).run(request, author, water, { learn });
      return captured.length;
    };
    const two = [failing, check('b', () => 'no')];
    expect(await capturedBy([failing], 2)).toBe(0);
    expect(await capturedBy(two, 2)).toBe(2);
    expect(await capturedBy(two, 3)).toBe(0);
    expect(prompts).toEqual(Array(6).fill('Tea is a drink.'));
    expect(asked).toContainEqual(request);
  });

  it('takes lessons from a store that captures none', async () => {
    const logged: unknown[] = [];
    const log = (fields: object) => void logged.push(fields);
    const logger = { ...silentLogger, warn: log, error: log };
    const learn = { relevantTo: async () => '' };
    await new SelfReviewLoop([failing], { learningThresholdGaps: 1 }, { logger, learn }).run(
      request,
      produce,
    );
    expect(logged).toEqual([]);
  });

  it('asks its models also where a check by code has failed', async () => {
    const judge = judgeOf('judge');
    const critical = criterion<AgentOutput, AgentRequest>('a', () => 'no', {
      severity: 'critical',
    });
    await new SelfReviewLoop([critical, explained], {}, { provider: judge }).run(request, produce);
    expect(judge.requests).toHaveLength(1);
  });

  it('names the addressGaps that lacks a model', async () => {
    const addressGaps = Object.assign(async (output: AgentOutput) => output, {
      withProvider: (_: LLMProvider) => async (output: AgentOutput) => output,
    });
    const run = new SelfReviewLoop([failing]).run(request, produce, addressGaps);
    await expect(run).rejects.toMatchObject({ code: 'provider_missing' });
    await expect(run).rejects.toThrow('addressGaps');
  });

  it('fixes nothing without addressGaps, also under trust', async () => {
    const loop = new SelfReviewLoop([failing], { escalateAfterIterations: 3 }, { trust: fast });
    const { outcome } = await loop.run(request, produce);
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'no_address' });
  });
});

describe('the configuration', () => {
  it('SR-39, SR-40, SR-41, SR-42, SR-43 have the defaults and ranges of the seed', () => {
    expect(SelfReviewConfigSchema.parse({})).toMatchObject({
      enabled: true,
      maxIterations: 3,
      qualityThreshold: 0.8,
      completenessThreshold: 0.9,
      escalateOnCriticalGaps: true,
    });
    const wrong: object[] = [
      ...[{ maxIterations: 0 }, { maxIterations: 11 }, { maxIterations: 1.5 }, { enabled: 'yes' }],
      ...[{ qualityThreshold: 1.1 }, { completenessThreshold: -0.1 }, { escalateCritical: '' }],
    ];
    for (const value of wrong)
      expect(() => selfReviewConfig(value)).toThrow(
        expect.objectContaining({ code: 'invalid_options', value, cause: expect.anything() }),
      );
  });

  it('SR-44, SR-45, SR-46, SR-47, SR-48, SR-49 have the defaults of the seed', () => {
    expect(SelfReviewConfigSchema.parse({})).toMatchObject({
      escalateAfterIterations: 2,
      maxCriticalGapsBeforeEscalate: 1,
      timeoutPerIterationMs: 60_000,
      cacheReviewResults: true,
      captureForLearning: true,
      learningThresholdGaps: 3,
    });
  });

  it('the defaults are written in one place [D004-43]', () => {
    expect(new SelfReviewLoop([ok]).config).toEqual(SelfReviewConfigSchema.parse({}));
    expect(selfReviewConfig()).toMatchObject({ enabled: true, escalateCritical: 'immediate' });
    const later = selfReviewConfig({ escalateCritical: 'after-attempt' });
    expect(later.escalateCritical).toBe('after-attempt');
  });

  it('a partial configuration is laid over the defaults, and one for a task over that [SR-08, SR-50]', async () => {
    const most = criterion<AgentOutput, AgentRequest>('a', () => ({
      passed: true,
      score: 0.9,
      details: '',
    }));
    const loop = new SelfReviewLoop([most], { qualityThreshold: 0.99, maxIterations: 1 });
    const approved = async (options = {}) =>
      (await loop.execute(request, produce, undefined, options)).outcome.approved;
    expect(await approved()).toBe(false);
    expect(await approved({ config: { qualityThreshold: 0.5 } })).toBe(true);
    expect(await approved()).toBe(false);
    expect(selfReviewConfig({ maxIterations: 7 }, { maxIterations: 2 }).maxIterations).toBe(2);
  });

  it('undefined members and odd numbers are no crash: they are ignored or refused [D004-11]', () => {
    expect(selfReviewConfig({ maxIterations: undefined }).maxIterations).toBe(3);
    const { maxIterations } = selfReviewConfig({ maxIterations: 7 }, { maxIterations: undefined });
    expect(maxIterations).toBe(7);
    expect(() => new SelfReviewLoop([ok], { maxIterations: 0 })).toThrow(
      expect.objectContaining(errorWith('invalid_options', 'maxIterations')),
    );
    expect(() => selfReviewConfig({ maxIteration: 3 } as object)).toThrow(/maxIteration/);
  });

  it('escalateAfterIterations is 1-based, and one that could never hold is refused [D004-02]', async () => {
    expect(() => selfReviewConfig({ maxIterations: 2, escalateAfterIterations: 3 })).toThrow(
      expect.objectContaining(
        errorWith('invalid_options', /exceeds maxIterations[\s\S]*at escalateAfterIterations/),
      ),
    );
    expect(selfReviewConfig({ maxIterations: 1 }).escalateAfterIterations).toBe(1);
    const weak = criterion<AgentOutput, AgentRequest>(
      'weak',
      () => ({ passed: false, score: 0.1, details: 'bad' }),
      { category: 'incorrect' },
    );
    const config = { maxIterations: 2, escalateAfterIterations: 1 };
    const { outcome } = await new SelfReviewLoop([weak], config).execute(request, produce);
    expect(outcome.reviews).toHaveLength(1);
    expect(outcome.status).toBe('escalated');
  });
});

it.each([
  ['criteria', null],
  ['criteria', 'all'],
  ['criteria.criteria', {}],
])('criteria of an agent are refused by name: %s', (name, given) => {
  expect(() => agentReviewers(given as never, 0.9)).toThrow(
    expect.objectContaining(errorWith('invalid_options', `\`${name}\``)),
  );
});

describe('a task', () => {
  it('that is an agent request has an id', () => {
    expect(isAgentRequest(request)).toBe(true);
    expect(taskIdOf(request)).toBe('task-1');
  });

  it.each([
    ...[null, undefined, 'text', 7, {}],
    ...[null, undefined, 'text', {}].map((context) => ({ context })),
    ...[null, undefined, 'text'].map((task) => ({ context: { task } })),
  ])('of another shape is no agent request: %o', (task) => {
    expect(isAgentRequest(task)).toBe(false);
    expect(taskIdOf(task)).toBe('task');
  });
});
