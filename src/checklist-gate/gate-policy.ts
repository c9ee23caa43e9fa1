import { isNonEmpty } from '../core/decision.js';
import { isOpen } from '../core/gap.js';
import type { Policy } from '../core/policy.js';
import { severityAtLeast } from '../core/severity.js';
import { blockingFloor } from '../policies/blocking-table.js';
import { unjudgeable } from '../policies/evidence.js';
import { type ChecklistItem, gapSeverityOf } from './checklist.js';
import type { GateRules } from './gate-status.js';

/**
 * The decision of a gate: what blocks in this iteration is fixed in the latest work, until the ceiling ends it in one
 * question to a person. An item that nobody verified and that blocks is never approved.
 *
 * @param from - The iteration of the state at the first review.
 */
export function gatePolicy(
  { blocking: table, ceiling }: Pick<GateRules, 'blocking' | 'ceiling'>,
  items: readonly ChecklistItem[],
  from: number,
): Policy {
  const severities = new Map(items.map(({ id, severity }) => [id, gapSeverityOf(severity)]));
  return ({ iteration: round, review }) => {
    const stop = unjudgeable(review);
    if (stop !== undefined) return stop;
    const iteration = from + round - 1;
    const floor = blockingFloor(table, iteration);
    const open = review.assessments.filter(
      ({ verdict, criterion }) =>
        verdict === 'skipped' && severityAtLeast(severities.get(criterion) ?? 'critical', floor),
    );
    const blocking = review.gaps.filter(
      (gap) => isOpen(gap) && severityAtLeast(gap.severity, floor),
    );
    const failed = [...new Set(blocking.map(({ criterionId = '' }) => criterionId))];
    const reason = `${failed.length} items failed that block in iteration ${iteration}: ${failed.join(', ')}`;
    if (isNonEmpty(blocking)) {
      if (iteration < ceiling) return { kind: 'revise', reason, from: 'latest', blocking };
      return {
        kind: 'ask',
        reason,
        question: `${reason}. Let the work through with a reason, ask for one more fix, or reject it?`,
        allowed: ['override', 'revise', 'reject'],
      };
    }
    if (open.length > 0)
      return {
        kind: 'stop',
        status: 'inconclusive',
        code: 'unverified',
        reason: `${open.length} items were not verified: ${open.map(({ criterion }) => criterion).join(', ')}`,
      };
    return {
      kind: 'approve',
      reason: `every item that blocks in iteration ${iteration} has passed`,
    };
  };
}
