import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/core/assessment.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { nodeErrors } from '../../../src/node/errors.js';
import { gateReviewer, resultOfTask } from '../../../src/quality-gate/gate-reviewer.js';
import { fakeReviewerContext, scriptedProvider } from '../../../src/testing/index.js';

const judged = (criterion: string, verdict: 'pass' | 'fail', explanation = ''): Assessment => ({
  ...{ criterion, verdict, score: verdict === 'pass' ? 1 : 0, explanation, gaps: [] },
});
const id = 'review-1/step';

describe('the result of a review', () => {
  it('has the whole and its criteria by name, whatever their order, and nothing of others', () => {
    expect(
      resultOfTask(
        [
          judged(`${id}#1:Has: a title`, 'pass'),
          judged(`${id}#2:Short`, 'fail', 'long'),
          judged(id, 'fail', 'too long'),
          judged('review-1/step2', 'fail'),
          judged('review-2/step', 'fail'),
        ],
        id,
      ),
    ).toEqual({
      ...{ passed: false, feedback: 'too long', contradicted: [], reviewed: true },
      criteria_results: [
        { criterion: 'Has: a title', passed: true, feedback: null },
        { criterion: 'Short', passed: false, feedback: 'long' },
      ],
    });
  });

  it('is an error where the reviewer failed, could not tell, or said nothing about the whole', () => {
    const failed = new ReviewLoopError(nodeErrors.file_unreadable, 'no connection');
    const rows: [readonly Assessment[], RegExp][] = [
      [[judged(id, 'pass'), { verdict: 'errored', criterion: id, error: failed }], /no connection/],
      [
        [
          judged(id, 'pass'),
          {
            verdict: 'undecided',
            criterion: `${id}#1:A`,
            reason: 'no data',
            decidableBy: ['person'],
          },
        ],
        /could not tell: no data/,
      ],
      [[judged(`${id}#1:A`, 'pass')], /has no result/],
      [[{ verdict: 'skipped', criterion: id, reason: 'not asked' }], /has no result/],
      [[], /has no result/],
    ];
    for (const [assessments, message] of rows) {
      const result = resultOfTask(assessments, id);
      expect(result).not.toHaveProperty('passed');
      const text = 'error' in result ? result.error.message : '';
      expect(text).toMatch(message);
      // no command line tool was asked
      expect(text).not.toContain('Claude CLI');
    }
  });
});

describe('the reviewer of a gate', () => {
  const options = {
    ...{ id, target: null, provider: scriptedProvider(['{}']), cli: false, seconds: 240 },
    everyCriterion: true,
  };

  it('has a version for each provider, model and rule, so that no verdict is reused for another', () => {
    const versionOf = (more: Partial<Parameters<typeof gateReviewer>[0]> = {}) =>
      gateReviewer({ ...options, ...more }).version;
    const { provider } = options;
    const versions = [
      versionOf(),
      versionOf({ everyCriterion: false }),
      versionOf({ provider: { ...provider, id: 'other' } }),
      versionOf({ provider: { ...provider, model: 'm1' } }),
      versionOf({ provider: { ...provider, model: 'm2' } }),
    ];
    expect(new Set(versions).size).toBe(versions.length);
    expect(versionOf({ seconds: 300, id: 'review-2/step' })).toBe(versionOf());
  });

  it('fails by the cause where its payload could not be built, not by a tool that nobody asked', async () => {
    const problem = new ReviewLoopError(nodeErrors.path_outside, '../a leads out of the root');
    const { review } = gateReviewer({ ...options, cli: true, problem });
    const subject = { task: undefined, output: {} } as never;
    await expect((async () => review(subject, fakeReviewerContext()))()).rejects.toMatchObject({
      code: 'gate_review_failed',
      cause: problem,
      message: expect.not.stringContaining('Claude CLI') as unknown,
    });
  });
});
