import type { HumanAnswerKind } from '../core/human.js';
import { invalid } from '../core/options.js';
import type { Policy } from '../core/policy.js';

const allowed: readonly HumanAnswerKind[] = ['override', 'revise', 'reject'];

/**
 * Asks a person when the inner policy escalates because only disputed gaps are open. The run is suspended with the question,
 * and continues with the answer.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function askDisputed(inner: Policy): Policy {
  if (typeof inner !== 'function') throw invalid('inner', 'a policy', inner);
  return (evidence) => {
    const decision = inner(evidence);
    if (decision?.kind !== 'stop' || decision.code !== 'disputed') return decision;
    return {
      kind: 'ask',
      reason: decision.reason,
      question: `Judges do not agree: ${decision.reason}. What shall be done?`,
      allowed,
    };
  };
}
