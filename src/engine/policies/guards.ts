import type { ApproveDecision, Decision } from '../../core/decision.js';
import { invalid } from '../../core/options.js';
import type { Policy, UndecidedReview } from '../../core/policy.js';
import { type ProtectedCriteria, protection, turnedFromPass } from '../../core/ranking.js';
import { reviseBest } from './evidence.js';

const allowed = ['override', 'revise', 'reject'] as const;

/**
 * Asks a person when the inner policy escalates because only disputed gaps are open. The question
 * suspends the run, and the answer continues it.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = askDisputed(noProgress(thresholds()));
 * ```
 */
export function askDisputed(inner: Policy): Policy {
  if (typeof inner !== 'function') throw invalid('inner', 'a policy', inner);
  return (evidence) => {
    const decision = inner(evidence);
    if (decision?.kind !== 'stop' || decision.code !== 'disputed') return decision;
    return {
      kind: 'ask',
      reason: decision.reason,
      question: `Judges disagree: ${decision.reason}. What should happen next?`,
      allowed,
    };
  };
}

/**
 * Refuses to approve a version that no longer passes a protected criterion, whatever its score. It
 * revises the best version instead, or stops as `stalled` if that version has nothing to fix.
 * `keepBest({ protect })` protects the best version in the same way.
 *
 * @param protect - Ids, or a function that returns whether an id is protected.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = holdProtected(thresholds(), ['tests']);
 * ```
 */
export function holdProtected(inner: Policy, protect: ProtectedCriteria): Policy {
  if (typeof inner !== 'function') throw invalid('inner', 'a policy', inner);
  const isProtected = protection(protect);
  return (evidence) => {
    const decision = inner(evidence);
    if (decision?.kind !== 'approve') return decision;
    const { review, best, history } = evidence;
    const earlier: readonly UndecidedReview[] = [...history, best];
    const turned = [
      ...new Set(earlier.flatMap((before) => turnedFromPass(before, review, isProtected))),
    ];
    if (turned.length === 0) return decision;
    const reason = `protected criteria turned from pass: ${turned.join(', ')}`;
    if (best === review || best.gaps.length === 0)
      return { kind: 'stop', status: 'stalled', code: 'protected_broken', reason };
    return reviseBest(evidence, () => true, reason);
  };
}

export type Otherwise = 'ask' | 'escalate';

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
