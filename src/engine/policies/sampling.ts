import { type Decision, isNonEmpty } from '../../core/decision.js';
import { isOpen } from '../../core/gap.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import type { Evidence, Policy } from '../../core/policy.js';
import { isAnew } from './attempts.js';
import { noProgress } from './no-progress.js';

/**
 * Best of n: where the inner policy would revise, the loop produces another first output, until it
 * has n. Each sample is reviewed in the same way, and the first approved one ends the run. After n
 * samples, the inner policy revises the best one. Set `budget.reviews` to at least n.
 *
 * After DSPy's BestOfN. All samples pass the same review because an imperfect verifier limits what
 * resampling can reach (Stroebl et al.).
 *
 * @param samples - The greatest number of first outputs, from 1.
 * @param inner - Decides everything else; `noProgress()` if left out.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = bestOf(4);
 * const pipeline = definePipeline({ produce, criteria, policy, budget: { reviews: 4 } });
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

export interface ResampleOptions {
  /** The greatest number of first outputs. @default 3 */
  readonly samples?: number | undefined;
}

/**
 * Refines while that helps, and starts over with a new first output when the inner policy stops as
 * `stalled`. With a poor judge or fixer, a new sample uses a budget better than another fix.
 *
 * @param inner - Decides everything else; it must be able to stall, as `noProgress` and `doNoHarm`
 *   do. `noProgress()` if left out.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = refineOrResample(doNoHarm(noProgress()), { samples: 2 });
 * ```
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

/** Earlier samples say nothing about the current one. */
function sinceAnew(evidence: Evidence): Evidence {
  const last = evidence.history.map(isAnew).lastIndexOf(true);
  return last < 0 ? evidence : { ...evidence, history: evidence.history.slice(last + 1) };
}

function anew({ best }: Evidence, reason: string): Decision | undefined {
  const open = best.gaps.filter((gap) => isOpen(gap) && gap.autoFixable);
  return isNonEmpty(open) ? { kind: 'revise', reason, from: 'anew', blocking: open } : undefined;
}
