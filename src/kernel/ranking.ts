import { isJudged, type Judged } from './assessment.js';
import type { Finding } from './policy.js';

/** Pure. Does the challenger replace the incumbent as the best version? */
export type Ranking = (challenger: Finding, incumbent: Finding) => boolean;

/**
 * Keep the best, strictly: the challenger wins only when it is scored on every criterion that the incumbent is scored
 * on, no protected criterion turned from pass, and its overall score is strictly higher. A tie keeps the incumbent.
 */
export function keepBest(options: { readonly protect?: readonly string[] | undefined } = {}): Ranking {
  const protectedIds = new Set(options.protect ?? []);
  return (challenger, incumbent) => {
    const verdicts = new Map(challenger.assessments.map((assessment) => [assessment.criterion, assessment]));
    const keeps = (held: Judged): boolean => {
      const now = verdicts.get(held.criterion);
      if (now === undefined || !isJudged(now)) return false;
      return held.verdict === 'fail' || now.verdict === 'pass' || !protectedIds.has(held.criterion);
    };
    return incumbent.assessments.filter(isJudged).every(keeps) && challenger.scores.overall > incumbent.scores.overall;
  };
}
