import { describe, expect, it } from 'vitest';
import { findingOf } from '../../../src/engine/undecided-review.js';
import {
  criterion,
  definePipeline,
  memoryVerdicts,
  type PipelineOptions,
  ReviewLoopError,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, passed, reviewer } from './support.js';

describe('a review with fewer answers than reviewers', () => {
  it('is not complete, whatever the answers say', () => {
    const [a, b] = [reviewer('a', async () => []), reviewer('b', async () => [])];
    const reply = (id: string) => ({
      ...{ reviewer: id, assessments: [passed(id)], proposal: undefined, view: '', reused: false },
      usage: {},
    });
    const judged = (...answers: readonly ReturnType<typeof reply>[]) =>
      findingOf(
        {
          definition: { reviewers: [a, b], weights: {}, clock: fakeClock() },
          version: { iteration: 1, digest: 'd', output: 'x' },
          run: { ledger: { ofReview: {} } },
        } as never,
        { parent: undefined, seen: new Set(), decisionIf: () => ({}) as never },
        answers,
        [],
        { at: 0 },
      ).complete;
    expect(judged(reply('a'))).toBe(false);
    expect(judged(reply('a'), reply('b'))).toBe(true);
  });
});

const reviewsOf = async (options: PipelineOptions<string, string>) =>
  (await definePipeline<string, string>(options).run('task')).reviews;

describe('the review of a version', () => {
  it('gives each assessment its own gaps, and lists them all by severity', async () => {
    const [review] = await reviewsOf({
      produce: async () => 'x',
      reviewers: [
        reviewer('small', async () => [failed('small', 'a comma', { severity: 'minor' })]),
        reviewer('fine', async () => [passed('fine')]),
        reviewer('large', async () => [
          failed('large', 'a hole', { severity: 'critical' }),
          failed('middle', 'a dent', { severity: 'major' }),
        ]),
      ],
    });
    const own = review?.assessments.map((one) =>
      'gaps' in one ? one.gaps.map(({ description }) => description) : undefined,
    );
    expect(own).toEqual([['a comma'], [], ['a hole'], ['a dent']]);
    expect(review?.gaps.map(({ description }) => description)).toEqual([
      'a hole',
      'a dent',
      'a comma',
    ]);
    const ids = review?.assessments.flatMap((one) => ('gaps' in one ? one.gaps : []));
    expect(new Set(ids?.map(({ id }) => id)).size).toBe(3);
    expect(review?.gaps).toEqual(expect.arrayContaining(ids ?? []));
  });

  it('gives no gaps to what nobody judged', async () => {
    const [review] = await reviewsOf({
      produce: async () => 'x',
      reviewers: [
        reviewer('broken', async () => {
          throw new ReviewLoopError('reviewer_threw', 'down', { retryable: false });
        }),
        reviewer('away', async () => [{ verdict: 'skipped', criterion: 'away', reason: 'n/a' }]),
      ],
    });
    expect(review?.assessments.map((one) => [one.verdict, 'gaps' in one])).toEqual([
      ['errored', false],
      ['skipped', false],
    ]);
  });

  it('names its parent and what was reused, and neither where there is none', async () => {
    const options: PipelineOptions<string, string> = {
      produce: async () => 'x',
      address: async () => 'x!',
      reviewers: [
        criterion<string>('loud', (text) => text.endsWith('!'), { version: '1' }),
        reviewer('short', async () => [passed('short')], {
          scope: () => 'the same',
        }),
      ],
      verdicts: memoryVerdicts(),
    };
    const [first, second] = await reviewsOf(options);
    expect(first).not.toHaveProperty('parent');
    expect(first).not.toHaveProperty('reused');
    expect(second).toMatchObject({ parent: first?.version, reused: { verdicts: 1, saved: {} } });
  });

  it('says when it began and how long it took, also if the clock is set back', async () => {
    for (const [ms, durationMs] of [
      [300, 300],
      [-300, 0],
    ] as const) {
      let offset = 0;
      const clock = fakeClock(Date.UTC(2026, 0, 1));
      const [review] = await reviewsOf({
        produce: async () => 'x',
        reviewers: [
          reviewer('a', async () => {
            offset = ms;
            return [passed('a')];
          }),
        ],
        clock: { ...clock, now: () => clock.now() + offset },
      });
      expect(review).toMatchObject({ at: '2026-01-01T00:00:00.000Z', durationMs });
    }
  });

  it('is incomplete where a judge was passed over, also after an empty version', async () => {
    let asked = 0;
    const reviews = await reviewsOf({
      produce: async () => '',
      address: async () => 'words',
      reviewers: [
        reviewer('code', async () => [failed('code')]),
        reviewer(
          'model',
          async () => {
            asked += 1;
            return [passed('model')];
          },
          { tier: 'model' },
        ),
      ],
      budget: { reviews: 2 },
    });
    expect(reviews.map(({ complete }) => complete)).toEqual([false, false]);
    expect(asked).toBe(0);
  });
});
