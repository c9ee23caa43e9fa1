import { invalid } from '../core/options.js';
import type { Policy } from '../core/policy.js';

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
