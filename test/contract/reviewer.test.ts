import { describe, expect, it } from 'vitest';
import { fromScorer } from '@/adapters/scorers/from-scorer.js';
import { criterion } from '@/blocks/reviewers/criterion.js';
import type { Reviewer, ReviewerAnswer } from '@/core/reviewer.js';
import { reviewerContract } from '@/testing/index.js';
import { reviewerOf } from '../support/reviewer.js';
import { faultsOf } from './faults.js';

const reviewers: Readonly<Record<string, () => Reviewer<unknown, string>>> = {
  'a passing criterion': () => criterion('long', (text: string) => text.length > 1),
  'a failing criterion': () =>
    criterion('titled', (text: string) => text.startsWith('# ') || 'no title'),
  'a criterion that reads a part': () =>
    criterion('short', (text: string) => text.length < 4, { scope: (text) => text.slice(0, 3) }),
  'a criterion that throws': () => criterion('broken', () => JSON.parse('{')),
  'a scorer that returns a list': () =>
    fromScorer(
      async ({ output }: { output: string }) => [
        { key: 'long', score: output.length > 20, comment: 'too short' },
        { key: 'calm', score: 0.9 },
        { key: 'dated', score: null },
      ],
      { id: 'scored', threshold: 0.5, version: '1' },
    ),
  'a scorer that returns no number': () =>
    fromScorer((_: { output: string }) => Number.NaN, {
      id: 'scored',
      threshold: 0.5,
      version: '1',
    }),
};

describe.each(Object.entries(reviewers))(
  '%s keeps the contract of reviewers',
  (_, makeReviewer) => {
    for (const { name, run } of reviewerContract(makeReviewer, {
      task: 'tea',
      output: 'tea is tea',
    }))
      it(name, run);
  },
);

describe('reviewerContract finds reviewers that break it', () => {
  const brokenCases = async (makeReviewer: () => Reviewer<unknown, unknown>): Promise<string> => {
    return (
      await faultsOf(reviewerContract(makeReviewer, { task: 'tea', output: { text: 'tea' } }))
    ).join('\n');
  };
  const answering = (answer: ReviewerAnswer): Reviewer<unknown, unknown> =>
    reviewerOf('r', async () => answer);
  const judged = { criterion: 'c', explanation: '', gaps: [] };

  it.each([
    ['nothing', [], /at least one assessment/],
    ['a score above 1', [{ ...judged, verdict: 'pass', score: 7 }], /was refused/],
    [
      'a pass with a score of 0',
      [{ ...judged, verdict: 'pass', score: 0 }],
      /passed with a score of 0/,
    ],
    ['a fail without a gap', [{ ...judged, verdict: 'fail', score: 0 }], /failed without a gap/],
    [
      'one criterion twice',
      [1, 2].map(() => ({ verdict: 'skipped' as const, criterion: 'c', reason: 'why' })),
      /assessed once/,
    ],
  ] satisfies [string, ReviewerAnswer, RegExp][])(
    'one that answers %s',
    async (_, answer, message) => {
      expect(await brokenCases(() => answering(answer))).toMatch(message);
    },
  );

  it('one that changes what it reviews', async () => {
    const vandal: Reviewer<unknown, unknown> = {
      ...answering([]),
      review: async ({ output }) => [
        {
          ...judged,
          verdict: 'skipped',
          reason: String(Object.assign(Object(output), { text: 'mine' })),
        },
      ],
    };
    expect(await brokenCases(() => vandal)).toMatch(/read only/);
  });

  it('one whose identity differs from time to time', async () => {
    let made = 0;
    expect(
      await brokenCases(() => ({
        ...answering([{ ...judged, verdict: 'pass', score: 1 }]),
        version: String(made++),
      })),
    ).toMatch(/id, version and tier/);
  });
});
