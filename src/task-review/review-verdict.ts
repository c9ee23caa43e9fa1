import type * as z from 'zod';
import type { ReviewVerdictSchema } from './attempt-store.js';

/** The verdicts of a task review. */
export const ReviewVerdict = {
  PASSED: 'passed',
  FIXED: 'fixed',
  FAILED: 'failed',
  SKIPPED: 'skipped',
  REJECTED: 'rejected',
  /** Nobody reviewed: a timeout, no answer, or an answer without a verdict. */
  NOT_RUN: 'not_run',
  /** The review failed: a failed call, or contradicting verdicts. */
  ERROR: 'error',
} as const;
/** The verdict of a task review. */
export type ReviewVerdict = z.infer<typeof ReviewVerdictSchema>;
export type ReviewedVerdict = Exclude<ReviewVerdict, 'skipped' | 'rejected'>;

const order: readonly ReviewVerdict[] = [
  'rejected',
  'failed',
  'fixed',
  'error',
  'not_run',
  'skipped',
];

/**
 * Returns the verdict of several reviewers: the first of rejected, failed, fixed, error, not_run
 * and skipped that one of them has. It is `passed` only if all passed.
 */
export function aggregateVerdicts<Verdict extends ReviewVerdict>(
  verdicts: readonly Verdict[],
): Verdict | 'not_run' | 'passed' {
  if (verdicts.length === 0) return 'not_run';
  return (
    order.find((candidate): candidate is Verdict =>
      verdicts.some((verdict) => verdict === candidate),
    ) ?? 'passed'
  );
}
