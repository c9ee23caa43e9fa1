import { describe, expect, it } from 'vitest';
import type { Assessment, Outcome, Review } from '../../../src/index.js';
import type { TaskWork } from '../../../src/task-review/task.js';
import { attemptsOf } from '../../../src/task-review/task-attempts.js';
import { formatReviewFindings } from '../../../src/task-review/task-question-texts.js';
import { resultOf } from '../../../src/task-review/task-result.js';

const at = '2026-01-01T00:00:00.000Z';
const assessed = (
  criterion: string,
  verdict: 'pass' | 'fail',
  explanation = `${verdict}ed: as it is`,
): Assessment => ({
  verdict,
  criterion,
  score: verdict === 'pass' ? 1 : 0,
  explanation,
  gaps: [],
});
const round = (assessments: readonly Assessment[], more: Partial<Review> = {}): Review => ({
  ...{
    iteration: 1,
    version: 'v',
    assessments,
    gaps: [],
    fixed: [],
    complete: true,
    at,
    durationMs: 5,
    usage: { inputTokens: 10 },
  },
  scores: {
    quality: 1,
    completeness: 1,
    correctness: 1,
    overall: 1,
    judged: 1,
    total: 1,
    criteria: { met: 1, judged: 1, total: 1 },
    requirements: { met: 0, judged: 0, total: 0 },
  },
  decision: { kind: 'stop', status: 'exhausted', code: 'c', reason: 'r' },
  ...more,
});
const runOf = (status: string, reviews: readonly Review[], more: object = {}): Outcome<TaskWork> =>
  ({
    status,
    approved: false,
    runId: 'r',
    reason: 'because',
    code: status,
    reviews,
    usage: { produce: {}, review: {}, address: {} },
    output: undefined,
    ...more,
  }) as unknown as Outcome<TaskWork>;
const ended = (run: Outcome<TaskWork>) =>
  resultOf(run, attemptsOf('T', run, { now: Date.parse(at) + 1, answers: new Map() }));

describe('what a task comes to', () => {
  it.each([
    ['timed_out', 'TIMED_OUT'],
    ['cancelled', 'CANCELLED'],
    ['failed', 'ERROR'],
  ])('a run that %s is %s, before a review and after one', (status, code) => {
    const before = ended(runOf(status, []));
    expect(before).toMatchObject({
      success: false,
      code,
      error: 'because',
      reviewStatus: null,
      attempts: [{ attempt: 1, at: '2026-01-01T00:00:00.001Z' }],
    });
    expect(ended(runOf(status, [round([assessed('review', 'pass')])]))).toMatchObject({
      success: false,
      code,
      machineVerdict: 'passed',
      humanDecision: null,
    });
  });

  it.each([
    [[assessed('execution', 'fail')], 'TASK_FAILED'],
    [[assessed('tests', 'fail')], 'TESTS_FAILED'],
    [[assessed('lint', 'fail')], 'LINT_FAILED'],
    [[assessed('review', 'fail')], 'REVIEW_FAILED'],
    [[assessed('review', 'pass')], 'ERROR'],
  ])('one that was stopped is named after what had failed: %#', (assessments, code) => {
    expect(ended(runOf('exhausted', [round(assessments)])).code).toBe(code);
  });

  it('adds up the cost of the rounds of an attempt, and counts the issues of the repaired one', () => {
    const gap = {
      id: 'g',
      severity: 'major',
      category: 'quality',
      description: 'd',
      suggestedFix: 'f',
      estimatedEffort: 'small',
      autoFixable: true,
      raisedBy: 'review',
    } as const;
    const revise = { kind: 'revise', reason: 'r', from: 'latest', blocking: [gap] } as const;
    const mended = round([assessed('review', 'fail', 'fixed: mended')], {
      gaps: [gap],
      decision: revise,
    });
    const { attempts } = ended(runOf('approved', [mended, round([assessed('review', 'pass')])]));
    expect(attempts).toMatchObject([
      {
        attempt: 1,
        status: 'success',
        machineVerdict: 'fixed',
        issues: 1,
        reviewUsage: { inputTokens: 20 },
        reviewDurationMs: 10,
      },
    ]);
  });

  it('a person who overrides, or asks for an impossible fix, is recorded with name and reason', () => {
    const asked = round([assessed('review', 'fail')], {
      decision: { kind: 'ask', reason: 'r', question: 'q', allowed: ['approve'] },
    });
    const acceptance = { kind: 'override', by: 'ann', reason: 'known' } as const;
    expect(
      ended(runOf('accepted', [asked], { code: 'person_overrode', decidedBy: 'ann', acceptance }))
        .attempts,
    ).toMatchObject([{ humanDecision: 'approve', decidedBy: 'ann', decisionReason: 'known' }]);
    expect(ended(runOf('exhausted', [asked]))).toMatchObject({
      code: 'FIX_REQUESTED',
      humanDecision: 'fix',
      previousError: expect.stringMatching(/^Fix requested\. Review findings:\n/),
    });
    expect(ended(runOf('cancelled', [asked]))).toMatchObject({
      code: 'CANCELLED',
      humanDecision: null,
    });
  });
});

it('the question says that nothing was found, and how often the reviewers repaired the work', () => {
  expect(formatReviewFindings(round([]), { repairs: 0 })).toBe(
    'No issues found\n\nVerdict: REVIEW_SKIPPED',
  );
  expect(
    formatReviewFindings(round([assessed('review', 'pass', 'passed: fine')]), { repairs: 1 }),
  ).toBe('fine\n\nVerdict: REVIEW_PASSED (auto-fixed 1 time, and reviewed again)');
  expect(
    formatReviewFindings(round([assessed('review', 'pass', 'passed: fine')]), { repairs: 2 }),
  ).toContain('auto-fixed 2 times');
});
