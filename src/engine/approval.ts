import { isVerdict } from '../core/assessment.js';
import { type Decision, undecidedStop } from '../core/decision.js';
import type { UndecidedReview } from '../core/policy.js';

/** Returns why a review allows no approval, if it does not. */
export function whyNotApproved(review: UndecidedReview): Decision | undefined {
  const failed = review.assessments.filter(({ verdict }) => verdict === 'errored');
  if (failed.length > 0)
    return inconclusive(
      'judge_failed',
      `judges failed: ${failed.map(({ criterion }) => criterion).join(', ')}`,
    );
  if (!review.complete) return inconclusive('incomplete', incompleteText(review));
  const stop = undecidedStop(review);
  if (stop !== undefined) return stop;
  if (!review.assessments.some(isVerdict))
    return inconclusive('nothing_judged', 'no criterion gave a verdict');
  return undefined;
}

function incompleteText({ assessments }: UndecidedReview): string {
  const missing = assessments.filter(({ verdict }) => verdict === 'skipped').length;
  return `review incomplete: ${missing} of ${assessments.length} reviewers not asked`;
}

export function inconclusive(code: string, reason: string): Decision {
  return { kind: 'stop', status: 'inconclusive', code, reason };
}
