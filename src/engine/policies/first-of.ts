import type { Policy } from '../../core/policy.js';

/**
 * Asks policies in turn; the first that returns a decision decides.
 *
 * @example
 * ```ts
 * firstOf(escalateOver({ critical: 2 }), thresholds());
 * ```
 */
export function firstOf(...policies: readonly Policy[]): Policy {
  return (evidence) => {
    for (const policy of policies) {
      const decision = policy(evidence);
      if (decision !== undefined) return decision;
    }
    return undefined;
  };
}
