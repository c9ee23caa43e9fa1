import { isNonEmpty } from '../core/decision.js';
import { isOpen, severityAtLeast } from '../core/gap.js';
import { plural } from '../core/plural.js';
import type { Policy } from '../core/policy.js';
import { unjudgeable } from '../policies/evidence.js';
import { blockingFloor } from '../policies/severity-by-iteration.js';
import type { GateRules } from './gate-status.js';

/**
 * Returns the policy of a gate. Failed items that block are fixed in the latest work. At the
 * ceiling the gate asks a person once. An unverified item prevents approval.
 *
 * @param from - The iteration of the state at the first review.
 */
export function gatePolicy(
  { blocking: table, ceiling }: Pick<GateRules, 'blocking' | 'ceiling'>,
  { from, unchanged = 0 }: { readonly from: number; readonly unchanged?: number | undefined },
): Policy {
  return ({ iteration: number, review }) => {
    const stop = unjudgeable(review);
    if (stop !== undefined) return stop;
    const iteration = from + number - 1;
    const floor = blockingFloor(table, iteration - unchanged);
    const unverified = review.assessments.filter(
      ({ verdict }) => verdict === 'skipped' || verdict === 'undecided',
    );
    const blocking = review.gaps.filter(
      (gap) => isOpen(gap) && severityAtLeast(gap.severity, floor),
    );
    const failed = [...new Set(blocking.map(({ criterionId = '' }) => criterionId))];
    const reason = `${plural(failed.length, 'blocking item')} failed in iteration ${iteration}: ${failed.join(', ')}`;
    if (isNonEmpty(blocking)) {
      if (iteration < ceiling) return { kind: 'revise', reason, from: 'latest', blocking };
      return {
        kind: 'ask',
        reason,
        question: `${reason}. Accept the work with a reason, ask for one more fix, or reject it?`,
        allowed: ['override', 'revise', 'reject'],
      };
    }
    if (unverified.length > 0)
      return {
        kind: 'stop',
        status: 'inconclusive',
        code: 'unverified',
        reason:
          `${plural(unverified.length, 'item')} not verified: ` +
          `${unverified.map(({ criterion }) => criterion).join(', ')}`,
      };
    return { kind: 'approve', reason: `every blocking item passed in iteration ${iteration}` };
  };
}
