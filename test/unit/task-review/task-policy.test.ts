import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/core/assessment.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import type { Gap } from '../../../src/core/gap.js';
import { taskErrors } from '../../../src/task-review/errors.js';
import { autoFixed } from '../../../src/task-review/task-checks.js';
import { type TaskPolicyOptions, taskPolicy } from '../../../src/task-review/task-policy.js';

const gap: Gap = {
  ...{ id: 'g', severity: 'major', category: 'quality', description: 'thin' },
  ...{ suggestedFix: 'more', estimatedEffort: 'small', autoFixable: true },
};
const pass = (criterion: string): Assessment => ({
  ...{ verdict: 'pass', criterion, score: 1, explanation: 'fine', gaps: [] },
});
const fail = (criterion: string, explanation = 'broken'): Assessment => ({
  ...{ verdict: 'fail', criterion, score: 0, explanation, gaps: [] },
});
const skipped = (criterion: string): Assessment => ({
  ...{ verdict: 'skipped', criterion, reason: 'not configured' },
});
const error = (message: string): ReviewLoopError =>
  new ReviewLoopError(Object.values(taskErrors)[0] ?? 'invalid_options', message);
const errored = (criterion: string): Assessment => ({
  ...{ verdict: 'errored', criterion, error: error('no connection') },
});
const reviewed = (assessments: readonly Assessment[], gaps: readonly Gap[] = []) => ({
  ...{ iteration: 1, version: 'v'.repeat(20), assessments, gaps },
  decision: { kind: 'revise', reason: 'r', from: 'latest', blocking: [gap] },
});

/** The decision about a review, after these ones. */
function decide(
  assessments: readonly Assessment[],
  {
    gaps,
    history = [],
    ...options
  }: Partial<TaskPolicyOptions> & {
    readonly gaps?: readonly Gap[];
    readonly history?: readonly (readonly Assessment[])[];
  } = {},
) {
  const policy = taskPolicy({
    ...{ reviewPolicy: 'advisory', hitlReview: false, maxAttempts: 3 },
    ...options,
  });
  const review = reviewed(assessments, gaps);
  return policy({
    review,
    history: history.map((earlier) => reviewed(earlier)),
  } as unknown as Parameters<typeof policy>[0]);
}
const checks = [pass('execution'), pass('tests'), pass('lint')];

describe('what follows after the checks of a task', () => {
  it('an errored check stops the task, before anything else that failed', () => {
    expect(decide([pass('execution'), fail('tests'), errored('lint')])).toMatchObject({
      ...{ kind: 'stop', status: 'inconclusive', code: 'check_broken' },
      reason: expect.stringMatching(/^could not be run: tests, lint: .*no connection/s) as unknown,
    });
  });

  it('a failed check means another attempt, until none is left', () => {
    const failed = [pass('execution'), fail('tests', '1 failed'), skipped('lint')];
    expect(decide(failed)).toMatchObject({
      ...{ kind: 'revise', from: 'latest', reason: 'failed: tests' },
      blocking: [
        {
          ...{ id: `task:${'v'.repeat(16)}`, severity: 'major', category: 'incomplete' },
          ...{ description: 'tests: 1 failed', suggestedFix: 'tests: 1 failed', autoFixable: true },
        },
      ],
    });
    expect(decide(failed, { history: [failed] })).toMatchObject({ kind: 'revise' });
    expect(decide(failed, { history: [failed, failed] })).toEqual({
      ...{ kind: 'stop', status: 'exhausted', code: 'tests_failed' },
      reason: 'failed: tests; 3 of 3 attempts made (maxAttempts)',
    });
    expect(decide(failed, { maxAttempts: 1 })).toMatchObject({ kind: 'stop' });
  });

  it('a task that changed nothing is told so', () => {
    expect(decide([fail('change', 'the task changed no file')], { maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'stop', status: 'exhausted', code: 'nothing_changed' },
      reason: expect.stringMatching(/^the task changed no file; 1 of 1/) as unknown,
    });
  });

  it('files that the linter changed are tested again in the same attempt', () => {
    const repaired = [pass('execution'), pass('tests'), fail('lint', `${autoFixed} a.js was`)];
    expect(decide(repaired, { maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'revise', reason: 'the linter changed files, which are tested again' },
    });
    expect(decide([fail('tests')], { history: [repaired], maxAttempts: 2 })).toMatchObject({
      kind: 'revise',
    });
  });

  it('a check that judged nothing stops the task', () => {
    expect(decide([pass('execution'), skipped('tests'), pass('review')])).toMatchObject({
      ...{ kind: 'stop', status: 'inconclusive', code: 'check_broken' },
      reason: 'judged nothing: tests',
    });
  });
});

describe('what follows after the review of a task', () => {
  it('a pass approves, and names what passed', () => {
    expect(decide([...checks, pass('review')])).toEqual({
      ...{ kind: 'approve', reason: 'tests, lint and review passed' },
    });
    expect(decide([pass('execution'), pass('review')])).toEqual({
      ...{ kind: 'approve', reason: 'review passed' },
    });
  });

  it('without a review checks approve; without checks nothing does', () => {
    expect(decide([...checks, skipped('review')])).toEqual({
      ...{ kind: 'approve', reason: 'tests and lint passed; the review is disabled' },
    });
    expect(decide([pass('execution'), skipped('review')])).toMatchObject({
      ...{ kind: 'accept', code: 'not_reviewed' },
    });
  });

  it('a fail is accepted where it is advisory, and means another attempt where it is required', () => {
    const failed = [...checks, fail('review', 'failed: thin')];
    expect(decide(failed)).toEqual({
      ...{
        kind: 'accept',
        code: 'review_failed',
        reason: 'the review says failed, and is advisory',
      },
    });
    expect(decide(failed, { reviewPolicy: 'required', gaps: [gap] })).toEqual({
      ...{ kind: 'revise', from: 'latest', reason: 'the review says failed', blocking: [gap] },
    });
    const waived = { ...gap, standing: 'waived' } as const;
    for (const other of [waived, { ...gap, autoFixable: false }])
      expect(decide(failed, { reviewPolicy: 'required', gaps: [other] })).toMatchObject({
        blocking: [{ description: 'thin', suggestedFix: 'thin' }],
      });
    expect(decide(failed, { reviewPolicy: 'required', maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'stop', status: 'exhausted', code: 'review_failed' },
    });
  });

  it('no verdict is a stop, never an approval', () => {
    expect(decide([...checks, errored('review')])).toMatchObject({
      ...{ kind: 'stop', status: 'inconclusive', code: 'review_broken' },
      reason: expect.stringMatching(/^the review says error: .*no connection/s) as unknown,
    });
    const open: Assessment = {
      ...{ verdict: 'undecided', criterion: 'review', reason: 'no answer' },
      decidableBy: ['person'],
    };
    expect(decide([...checks, open])).toEqual({
      ...{ kind: 'stop', status: 'inconclusive', code: 'review_not_run' },
      reason: 'the review says not_run: no answer',
    });
  });

  it('what the reviewers fixed is reviewed again, before a person is asked', () => {
    const fixed = [...checks, fail('review', 'fixed: mended')];
    expect(decide(fixed, { hitlReview: true, maxAttempts: 1 })).toMatchObject({
      ...{ kind: 'revise', reason: 'the reviewers changed the code, which is reviewed again' },
    });
    expect(decide(checks, { hitlReview: true })).toEqual({
      ...{ kind: 'ask', reason: 'the review says skipped' },
      question: 'Verdict: REVIEW_SKIPPED. How should it continue?',
      allowed: ['approve', 'reject', 'revise', 'skip'],
    });
  });
});
