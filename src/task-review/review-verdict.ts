import type * as z from 'zod';
import type { ReviewVerdictSchema } from './attempt-store.js';

/** The verdicts of seed 002, and the two silences that its users were hurt by. */
export const ReviewVerdict = {
  PASSED: 'passed',
  FIXED: 'fixed',
  FAILED: 'failed',
  SKIPPED: 'skipped',
  REJECTED: 'rejected',
  /** Nobody reviewed: a timeout, no answer, no verdict in it. */
  NOT_RUN: 'not_run',
  /** The review broke: the call failed, or the verdicts contradict each other. */
  ERROR: 'error',
} as const;
/** What came of a review. */
export type ReviewVerdict = z.infer<typeof ReviewVerdictSchema>;
/** What came of asking reviewers: nobody skipped it, and no person has decided. */
export type ReviewedVerdict = Exclude<ReviewVerdict, 'skipped' | 'rejected'>;

const order: readonly ReviewVerdict[] = [
  'rejected',
  'failed',
  'fixed',
  'error',
  'not_run',
  'skipped',
];

/** The verdict of several reviewers: failed before fixed, error, not_run and skipped; passed only when every one of them passed. */
export function aggregateVerdicts<Verdict extends ReviewVerdict>(
  verdicts: readonly Verdict[],
): Verdict | 'not_run' | 'passed' {
  if (verdicts.length === 0) return 'not_run';
  return (
    order.find((one): one is Verdict => verdicts.some((verdict) => verdict === one)) ?? 'passed'
  );
}
