import { undecidedStop } from '../../core/decision.js';
import type { Policy } from '../../core/policy.js';
import { reviseBest, unjudgeable } from './evidence.js';

/**
 * Approves if every assessment passes and none was skipped. Otherwise it revises the best version.
 *
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce, address, criteria, policy: allPass() });
 * ```
 */
export function allPass(): Policy {
  return (evidence) => {
    const stop = unjudgeable(evidence.review);
    if (stop !== undefined) return stop;
    const not = evidence.review.assessments.filter((assessment) => assessment.verdict !== 'pass');
    if (not.length === 0)
      return {
        kind: 'approve',
        reason: `each criterion passes (${evidence.review.assessments.length})`,
      };
    const undecided = undecidedStop(evidence.review);
    const failed = not.filter((assessment) => assessment.verdict === 'fail');
    const reason = `not passed: ${not.map((assessment) => assessment.criterion).join(', ')}`;
    if (failed.length === 0 && undecided !== undefined) return undecided;
    if (failed.length === 0)
      return {
        kind: 'stop',
        status: 'inconclusive',
        code: 'skipped',
        reason: `skipped: ${not.map((assessment) => assessment.criterion).join(', ')}`,
      };
    const failing = new Set(failed.map((assessment) => assessment.criterion));
    return reviseBest(
      evidence,
      (gap) =>
        gap.criterionId === undefined ||
        failing.has(gap.criterionId) ||
        evidence.best !== evidence.review,
      reason,
    );
  };
}
