import type { Outcome } from '../../core/outcome.js';
import { truncateBytes } from '../../core/text/truncate.js';
import type { TaskAttempt } from '../../ports/attempt-store.js';
import type { ReviewVerdict } from './review-answer.js';
import type { TaskWork } from './task.js';
import { type Attempts, isPermanentTaskError, type TaskErrorCode } from './task-attempts.js';

/** The result of a task that has ended or waits for a person. */
export interface TaskResult {
  readonly success: boolean;
  readonly status: TaskAttempt['status'];
  readonly error: string | null;
  readonly code: TaskErrorCode | null;
  /**
   * The verdict that counts: the person's decision, or else the reviewers' verdict.
   */
  readonly reviewStatus: ReviewVerdict | null;
  /** The verdict of the reviewers. */
  readonly machineVerdict: ReviewVerdict | null;
  readonly humanDecision: TaskAttempt['humanDecision'];
  readonly reviewFindings: string | null;
  /** The number of issues; `null` if it is unknown. */
  readonly issues: number | null;
  /** The error to pass to the next attempt; `null` if no other attempt should follow. */
  readonly previousError: string | null;
  /** All attempts of the run, oldest first. */
  readonly attempts: readonly TaskAttempt[];
  readonly run: Outcome<TaskWork>;
}

export function resultOf(run: Outcome<TaskWork>, { earlier, last }: Attempts): TaskResult {
  const { status, error, reviewStatus, machineVerdict, humanDecision, reviewFindings, issues } =
    last;
  const code = last.errorCode as TaskErrorCode | null;
  return {
    success: status === 'success',
    status,
    error,
    code,
    reviewStatus,
    machineVerdict,
    humanDecision,
    reviewFindings,
    issues,
    previousError: previousErrorOf(last, code),
    attempts: [...earlier, last],
    run,
  };
}

function previousErrorOf(
  { status, error, reviewFindings }: TaskAttempt,
  code: TaskErrorCode | null,
): string | null {
  if (status !== 'failed' || isPermanentTaskError(code)) return null;
  if (code === 'FIX_REQUESTED') return fixRequest(reviewFindings ?? '');
  const parts = [error, reviewFindings].filter((part) => part !== null);
  return truncateBytes(parts.join('\n'), 1024);
}

/** The error for the next attempt. */
export function fixRequest(findings: string): string {
  return `Fix requested. Review findings:\n${truncateBytes(findings === '' ? 'none were named' : findings, 1024 - 40)}`;
}
