import { type Decision, isNonEmpty } from '../core/decision.js';
import { isOpen } from '../core/gap.js';
import { checkKeys, checkWhole, invalid } from '../core/options.js';
import type { Evidence, Policy } from '../core/policy.js';
import { isAnew } from './attempts.js';
import { noProgress } from './no-progress.js';

/**
 * Best of n: while the inner policy would revise, another first output is produced instead, until there are n of them. Each passes the
 * same gate, the first that is approved ends the run, and the best is kept; afterwards the inner policy revises the best as long as
 * the budget lasts. After DSPy's BestOfN; the gate is the same because an imperfect verifier caps what resampling can reach
 * (Stroebl et al.). Give the budget at least n iterations.
 *
 * @param samples - How many first outputs there may be.
 * @param inner - Decides everything else. @default noProgress()
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce, criteria, policy: bestOf(4), budget: { reviews: 4 } });
 * ```
 */
export function bestOf(samples: number, inner: Policy = noProgress()): Policy {
  checkWhole('samples', samples, 1);
  if (typeof inner !== 'function') throw invalid('inner', 'a policy', inner);
  return (evidence) => {
    const decision = inner(evidence);
    const taken = samplesIn(evidence);
    if (decision?.kind !== 'revise' || taken >= samples) return decision;
    return {
      ...decision,
      from: 'anew',
      reason: `${decision.reason}; sample ${taken + 1} of ${samples}`,
    };
  };
}

/** When {@link refineOrResample} starts over. */
export interface ResampleOptions {
  /** How many first outputs there may be. @default 3 */
  readonly samples?: number | undefined;
}

/**
 * Refines as long as that helps, and starts over when the inner policy stops because it no longer does (`stalled`): the damage rule's
 * other way out, where a poor judge or fixer makes resampling the better use of a budget.
 *
 * @param inner - Decides everything else; one that can stall, as `noProgress` and `doNoHarm` do. @default noProgress()
 * @throws ReviewLoopError `invalid_options`
 */
export function refineOrResample(
  inner: Policy = noProgress(),
  options: ResampleOptions = {},
): Policy {
  if (typeof inner !== 'function') throw invalid('inner', 'a policy', inner);
  checkKeys('refineOrResample', options, ['samples']);
  const { samples = 3 } = options;
  checkWhole('samples', samples, 1);
  return (evidence) => {
    const decision = inner(sinceAnew(evidence));
    const taken = samplesIn(evidence);
    if (decision?.kind !== 'stop' || decision.status !== 'stalled' || taken >= samples)
      return decision;
    return (
      anew(evidence, `${decision.reason}; starting over, sample ${taken + 1} of ${samples}`) ??
      decision
    );
  };
}

function samplesIn({ history }: Evidence): number {
  return 1 + history.filter(isAnew).length;
}

/** The evidence of the present sample: what stalled before it began says nothing about it. */
function sinceAnew(evidence: Evidence): Evidence {
  const last = evidence.history.map(isAnew).lastIndexOf(true);
  return last < 0 ? evidence : { ...evidence, history: evidence.history.slice(last + 1) };
}

function anew({ best }: Evidence, reason: string): Decision | undefined {
  const open = best.gaps.filter(isOpen);
  return isNonEmpty(open) ? { kind: 'revise', reason, from: 'anew', blocking: open } : undefined;
}
