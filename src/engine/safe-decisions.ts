import type { FailedAssessment } from '../core/assessment.js';
import { type Decision, isNonEmpty } from '../core/decision.js';
import { isOpen } from '../core/gap.js';
import type { UndecidedReview } from '../core/policy.js';
import { approvable, inconclusive } from './approvable.js';

/** Returns the decision that takes the place of an approval against confirming judges. */
export function dissented(dissent: readonly FailedAssessment[]): Decision {
  const gaps = dissent.flatMap((failed) => failed.gaps);
  const reason = `a confirming judge dissents: ${gaps.map((gap) => gap.description).join('; ')}`;
  const open = gaps.filter(isOpen);
  const fixable = open.filter((gap) => gap.autoFixable);
  if (isNonEmpty(fixable)) return { kind: 'revise', reason, from: 'latest', blocking: fixable };
  return {
    kind: 'stop',
    status: 'escalated',
    code: open.length > 0 ? 'unfixable' : 'disputed',
    reason,
  };
}

/** Returns a revision of open gaps only: a disputed gap is never edited. */
export function undisputed(decision: Extract<Decision, { kind: 'revise' }>): Decision {
  const { blocking, reason } = decision;
  const open = blocking.filter(isOpen);
  if (isNonEmpty(open)) return { ...decision, blocking: open };
  if (blocking.length > 0)
    return {
      kind: 'stop',
      status: 'escalated',
      code: 'disputed',
      reason: `${reason}; only disputed gaps were to be revised`,
    };
  return {
    kind: 'stop',
    status: 'stalled',
    code: 'nothing_to_revise',
    reason: `${reason}; the policy named no gap to revise`,
  };
}

/** Returns a decision in place of none, which never approves. */
export function withoutDecision(finding: UndecidedReview, best: UndecidedReview): Decision {
  const open = best.gaps.filter((gap) => isOpen(gap) && gap.autoFixable);
  if (approvable(finding) === undefined && isNonEmpty(open))
    return {
      kind: 'revise',
      reason: 'the policy has no opinion, and gaps are open',
      from: 'best',
      blocking: open,
    };
  return inconclusive('no_decision', 'the policy has no opinion');
}
