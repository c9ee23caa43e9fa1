import type { ApproveDecision, Decision } from '../core/decision.js';

/** What becomes of an approval that does not count. */
export type Otherwise = 'ask' | 'escalate';

/** Returns the decision that takes the place of an approval that does not count. */
export function refuseApproval(
  { reason }: ApproveDecision,
  {
    why,
    code,
    otherwise,
  }: { readonly why: string; readonly code: string; readonly otherwise: Otherwise },
): Decision {
  if (otherwise === 'escalate') return { kind: 'stop', status: 'escalated', code, reason: why };
  return {
    kind: 'ask',
    reason: why,
    question: `The reviewers approve: ${reason}. Their approval needs confirmation: ${why}. Do you approve?`,
    allowed: ['approve', 'reject', 'revise'],
  };
}
