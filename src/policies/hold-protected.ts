import { invalid } from '../core/options.js';
import type { Policy, UndecidedReview } from '../core/policy.js';
import { type ProtectedCriteria, protection, turnedFromPass } from '../core/ranking.js';
import { reviseBest } from './evidence.js';

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
      ...new Set(earlier.flatMap((finding) => turnedFromPass(finding, review, isProtected))),
    ];
    if (turned.length === 0) return decision;
    const reason = `protected criteria turned from pass: ${turned.join(', ')}`;
    if (best === review || best.gaps.length === 0)
      return { kind: 'stop', status: 'stalled', code: 'protected_broken', reason };
    return reviseBest(evidence, () => true, reason);
  };
}
