import type { FailedAssessment } from '../core/assessment.js';
import { type Decision, isNonEmpty } from '../core/decision.js';
import { isOpen } from '../core/gap.js';

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
