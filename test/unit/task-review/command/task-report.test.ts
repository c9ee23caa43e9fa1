import { describe, expect, it } from 'vitest';
import {
  type TaskWays,
  taskExitCode,
  taskJson,
  taskLines,
  worstOf,
} from '../../../../src/task-review/command/task-report.js';
import type { TaskResult } from '../../../../src/task-review/index.js';
import { taskAttempt } from '../../../support/task-attempt.js';

const again = 'reviewloop tasks run tasks.md --task T-1';
/** The result of the attempt, in a run of this status. */
function resultOf(
  more: Parameters<typeof taskAttempt>[0] = {},
  run: Partial<Record<'status' | 'code' | 'output', unknown>> = {},
): TaskResult {
  const attempt = taskAttempt({ taskId: 'T-1', ...more });
  const { status, error, errorCode } = attempt;
  return {
    ...{ success: status === 'success', status, error, code: errorCode },
    ...{ reviewStatus: attempt.reviewStatus, machineVerdict: attempt.machineVerdict },
    ...{ humanDecision: null, reviewFindings: attempt.reviewFindings, issues: null },
    ...{ previousError: null, attempts: [attempt] },
    run: {
      runId: 'r1',
      status: 'exhausted',
      code: 'c',
      reason: 'r',
      output: {},
      reviews: [],
      ...run,
    },
  } as unknown as TaskResult;
}
const linesOf = (result: TaskResult, ways: Partial<TaskWays> = {}): string[] =>
  taskLines('T-1', result, { store: ' --store file:here', again, ...ways });

describe('the exit code of tasks', () => {
  it('is 0 after success, 1 if the commit failed, else that of the run', () => {
    expect(taskExitCode(resultOf({ status: 'success' }))).toBe(0);
    expect(
      taskExitCode(resultOf({ errorCode: 'COMMIT_FAILED' }, { status: 'approved', code: 'x' })),
    ).toBe(1);
    for (const [status, code] of [
      ['exhausted', 50],
      ['inconclusive', 50],
      ['rejected', 51],
      ['timed_out', 52],
      ['suspended', 53],
      ['cancelled', 130],
      ['failed', 1],
    ] as const)
      expect(taskExitCode(resultOf({ errorCode: 'ERROR' }, { status })), status).toBe(code);
  });

  it('is the worst of several: cancelled, failed, timed out, rejected, not approved, waiting', () => {
    const order = [130, 1, 52, 51, 50, 53, 0];
    for (const [index, worst] of order.entries()) {
      expect(worstOf(order.slice(index))).toBe(worst);
      expect(worstOf(order.slice(index).reverse())).toBe(worst);
    }
    expect(worstOf([])).toBe(0);
  });

  it('stands beside the whole result in JSON, without the work of the run', () => {
    const result = resultOf({ error: 'no' });
    expect(taskJson(result)).toEqual({
      ...result,
      run: { runId: 'r1', status: 'exhausted', code: 'c', reason: 'r' },
    });
  });
});

describe('the lines about a task', () => {
  it('are one after success, and the command that answers while it waits', () => {
    expect(linesOf(resultOf({ status: 'success' }))).toEqual(['T-1: success']);
    const waiting = (machineVerdict: 'passed' | 'fixed' | 'failed' | null) =>
      linesOf(resultOf({ status: 'waiting', machineVerdict }, { status: 'suspended' }));
    for (const verdict of ['passed', 'fixed'] as const)
      expect(waiting(verdict)).toEqual([
        'T-1: waiting',
        '  suspended: waiting for an answer',
        '  next: reviewloop answer r1 approve --store file:here',
        '  or: reject, revise or skip in place of approve',
      ]);
    // an approval of what reviewers did not pass needs a reason
    for (const verdict of ['failed', null] as const)
      expect(waiting(verdict)[2]).toBe(
        '  next: reviewloop answer r1 approve --reason "..." --store file:here',
      );
  });

  it('name cause and findings of a failure, ten at most, and the ways on', () => {
    const reviewFindings = Array.from({ length: 12 }, (_, index) => `issue ${index}`).join('\n');
    const failed = resultOf({
      ...{ errorCode: 'REVIEW_FAILED', error: 'Review\nfound issues', reviewFindings },
      ...{ reviewStatus: 'failed', issues: 12 },
    });
    expect(linesOf(failed)).toEqual([
      'T-1: failed  (review: failed, 12 issues)',
      '  exhausted, REVIEW_FAILED: Review found issues',
      ...Array.from({ length: 10 }, (_, index) => `  issue ${index}`),
      `  next: ${again} # does the task again`,
      '  or: reviewloop answer r1 override --reason "..." --store file:here',
    ]);
    expect(linesOf(resultOf({ errorCode: 'ERROR', error: 'x'.repeat(600) }))[1]).toBe(
      `  exhausted, ERROR: ${'x'.repeat(500)}`,
    );
    expect(linesOf(resultOf({ errorCode: 'ERROR', reviewFindings: '\n \none\n' }))).toEqual([
      'T-1: failed',
      '  exhausted, ERROR: ',
      '  one',
      ...linesOf(failed).slice(-2),
    ]);
  });

  it('say where the work is, and offer no override of work that does not exist', () => {
    const failed = resultOf({ errorCode: 'TASK_FAILED' }, { output: undefined });
    const ways = (more: Partial<TaskWays>): string[] => linesOf(failed, more).slice(2);
    const next = `  next: ${again} # does the task again`;
    expect(ways({})).toEqual([next]);
    expect(ways({ folder: '/w/T-1' })).toEqual(['  its work is in /w/T-1', next]);
    expect(ways({ aside: '/w/T 1.patch', folder: '/w' })).toEqual([
      "  its changes are set aside: git apply '/w/T 1.patch'",
      next,
    ]);
  });

  it('give an override a reason, also where the reviewers passed the work', () => {
    const late = { errorCode: 'TIMED_OUT', machineVerdict: 'passed' } as const;
    expect(linesOf(resultOf(late)).at(-1)).toBe(
      '  or: reviewloop answer r1 override --reason "..." --store file:here',
    );
  });

  it('ask reviewers again that gave no verdict, and continue what was interrupted', () => {
    for (const errorCode of ['REVIEW_NOT_RUN', 'REVIEW_ERROR'])
      expect(
        linesOf(resultOf({ errorCode, error: 'late', reviewFindings: 'late' })).slice(1),
      ).toEqual([
        `  exhausted, ${errorCode}: late`,
        `  next: ${again} # asks the reviewers again`,
        `  or: ${again} --anew # does the task again`,
        '  or: reviewloop answer r1 override --reason "..." --store file:here',
      ]);
    for (const errorCode of ['CANCELLED', 'COMMIT_FAILED'])
      expect(linesOf(resultOf({ errorCode })).slice(2)).toEqual([`  next: ${again} # continues`]);
  });
});
