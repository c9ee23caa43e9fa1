import type { UndecidedReview } from '../core/policy.js';
import { approvable } from './approvable.js';

/**
 * Returns whether everything was judged and nothing failed, so that a person who approves agrees
 * with the reviewers.
 */
export function isClean(finding: UndecidedReview): boolean {
  return (
    approvable(finding) === undefined &&
    finding.assessments.every(({ verdict }) => verdict === 'pass' || verdict === 'skipped')
  );
}
