import { isVerdict } from '../core/assessment.js';
import { type Decision, undecidedStop } from '../core/decision.js';
import type { UndecidedReview } from '../core/policy.js';

/** Returns why a review allows no approval, if it does not. */
export function approvable(finding: UndecidedReview): Decision | undefined {
  const failed = finding.assessments.filter(({ verdict }) => verdict === 'errored');
  if (failed.length > 0)
    return inconclusive(
      'judge_failed',
      `judges failed: ${failed.map(({ criterion }) => criterion).join(', ')}`,
    );
  if (!finding.complete) return inconclusive('incomplete', incompleteText(finding));
  const stop = undecidedStop(finding);
  if (stop !== undefined) return stop;
  if (!finding.assessments.some(isVerdict))
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
