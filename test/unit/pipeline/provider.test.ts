import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  GapDetector,
  type LLMProvider,
  type Reviewer,
  reviewOutput,
  SelfReviewLoop,
} from '@/index.js';
import { fakeClock, fakeReviewerContext, scriptedProvider, settle } from '@/testing/index.js';
import { reviewerOf } from '../../support/reviewer.js';

/** A reviewer that tells which provider it was given. */
function needy(id: string): Reviewer<unknown, string> {
  const of = (provider: LLMProvider): Reviewer<unknown, string> => ({
    id,
    version: provider.id,
    tier: 'model',
    review: async () => [
      { verdict: 'pass', criterion: id, score: 1, explanation: provider.id, gaps: [] },
    ],
  });
  return { ...of({ id: 'none' } as LLMProvider), withProvider: of };
}

const provider = scriptedProvider([], { id: 'the pipeline' });

describe('the provider of a pipeline', () => {
  it('is inherited by reviewers that lack one', async () => {
    const review = await reviewOutput({
      task: '',
      output: 'text',
      reviewers: [needy('a'), needy('b')],
      provider,
    });
    expect(
      review.assessments.map(
        (assessment) => assessment.verdict === 'pass' && assessment.explanation,
      ),
    ).toEqual(['the pipeline', 'the pipeline']);
  });

  it('is not passed to reviewers that have one', async () => {
    const own = needy('a').withProvider?.(scriptedProvider([], { id: 'own' }));
    const review = await reviewOutput({ task: '', output: 'text', reviewers: [own!], provider });
    expect(review.assessments[0]).toMatchObject({ explanation: 'own' });
  });

  it('is missing when the pipeline is defined, not when it runs', () => {
    expect(() => definePipeline({ produce: async () => 'x', reviewers: [needy('a')] })).toThrow(
      expect.objectContaining({ code: 'provider_missing' }),
    );
    const criterion = {
      id: 'a',
      name: 'a',
      description: 'a',
      severity: 'major' as const,
      category: 'quality' as const,
      validate: async () => ({ passed: true, score: 1, details: '' }),
      reviewer: needy('a'),
    };
    expect(() => new SelfReviewLoop<string, unknown>([criterion])).toThrow(
      expect.objectContaining({ code: 'provider_missing' }),
    );
    expect(() => new GapDetector<string, unknown>([criterion])).toThrow(
      expect.objectContaining({ code: 'provider_missing' }),
    );
  });

  it('reaches the criteria of the façades of seed 004', async () => {
    const criterion = {
      id: 'a',
      name: 'a',
      description: 'a',
      severity: 'major' as const,
      category: 'quality' as const,
      validate: async () => ({ passed: true, score: 1, details: '' }),
      reviewer: needy('a'),
    };
    const { assessments } = await new GapDetector<string, unknown>([criterion], {
      provider,
    }).detect('text', null);
    expect(assessments[0]).toMatchObject({ explanation: 'the pipeline' });
    const { outcome } = await new SelfReviewLoop<string, unknown>(
      [criterion],
      {},
      { provider },
    ).execute(null, async () => 'text');
    expect(outcome.reviews[0]?.assessments[0]).toMatchObject({ explanation: 'the pipeline' });
  });

  it('is given to an `address` that lacks one', async () => {
    const address = Object.assign(async (text: string) => text, {
      withProvider: (given: LLMProvider) => async (text: string) => `${text} by ${given.id}`,
    });
    const options = {
      produce: async () => 'x',
      address,
      criteria: { done: (text: string) => text.includes('by') || 'not yet' },
    };
    expect(await definePipeline({ ...options, provider }).run(null)).toMatchObject({
      approved: true,
      output: 'x by the pipeline',
    });
    expect(() => definePipeline(options)).toThrow(
      expect.objectContaining({ code: 'provider_missing' }),
    );
  });

  it('must be one', () => {
    expect(() =>
      definePipeline({ criteria: { a: () => true }, provider: 'gpt' as unknown as LLMProvider }),
    ).toThrow('expected `provider` to be an LLMProvider');
  });
});

describe('join', () => {
  const pass = (id: string, explanation: string) => [
    { verdict: 'pass' as const, criterion: id, score: 1, explanation, gaps: [] },
  ];

  it('waits for the calls of another reviewer, and longer than one call may take', async () => {
    const clock = fakeClock();
    let release = (_: string): void => {};
    const shared = new Promise<string>((resolve) => {
      release = resolve;
    });
    const waiting: Reviewer<unknown, string> = reviewerOf('waiting', async (_, context) =>
      pass('waiting', await context.join(shared)),
    );
    const calling: Reviewer<unknown, string> = reviewerOf('calling', async (_, context) => {
      for (const call of ['1', '2', '3', '4'])
        await context.check(
          z.null(),
          () => new Promise((resolve) => void clock.after(80, () => resolve(null))),
          call,
        );
      release('heard');
      return pass('calling', 'called');
    });
    const reviewing = definePipeline<unknown, string>({
      reviewers: [waiting, calling],
      timeouts: { checkMs: 100 },
      clock,
    }).review(null, 'text');
    for (let step = 0; step < 40; step += 1) {
      await settle();
      clock.advance(10);
    }
    const { assessments } = await reviewing;
    expect(assessments[0]).toMatchObject({ verdict: 'pass', explanation: 'heard' });
  });

  it('simply waits in a test', async () => {
    expect(await fakeReviewerContext().join(Promise.resolve(1))).toBe(1);
  });
});
