import { invalid } from '../core/options.js';
import type { Policy, UndecidedReview } from '../core/policy.js';
import { type ProtectedCriteria, protection, turnedFromPass } from '../core/ranking.js';
import { reviseBest } from './evidence.js';

/**
 * Approves no version in which a protected criterion turned from pass, whatever its score: it goes on from the best version instead,
 * or stops as `stalled` where that has nothing left to fix. `keepBest({ protect })` protects the best version in the same way.
 *
 * @param protect - Ids, or a test of an id.
 * @throws ReviewLoopError `invalid_options`
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
