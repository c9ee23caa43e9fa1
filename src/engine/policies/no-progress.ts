import { isJudged } from '../../core/assessment.js';
import type { Gap } from '../../core/gap.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import {
  asksNobody,
  type Evidence,
  mayAsk,
  type Policy,
  type UndecidedReview,
} from '../../core/policy.js';
import type { Review } from '../../core/review.js';
import { baseOf, ledgerOf } from './attempts.js';
import { thresholds } from './thresholds.js';

export interface NoProgressOptions {
  /** Stops after this many failed attempts in a row on the same gap. @default 2 */
  readonly unfixed?: number | undefined;
}

/**
 * Stops a loop that makes no progress, where the inner policy would revise. It stops in two cases:
 *
 * - `unfixed` attempts in a row did not fix a blocking gap, and none improved the score or the
 *   number of gaps of its criterion;
 * - at least two attempts broke more criteria than they repaired.
 *
 * Trends of counts never stop a run: in a trial they caused three false stops and no correct one.
 *
 * @param inner - Decides everything else; `thresholds()` if left out.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = noProgress(thresholds({ quality: 0.9 }), { unfixed: 3 });
 * ```
 */
export function noProgress(inner: Policy = thresholds(), options: NoProgressOptions = {}): Policy {
  if (typeof inner !== 'function') throw invalid('inner', 'a policy', inner);
  checkKeys('noProgress', options, ['unfixed']);
  const { unfixed = 2 } = options;
  checkWhole('unfixed', unfixed, 1);
  const policy: Policy = (evidence) => {
    const decision = inner(evidence);
    if (decision?.kind !== 'revise') return decision;
    const stuck =
      evidence.history.length < unfixed
        ? undefined
        : decision.blocking.find((gap) => stuckFor(gap, evidence) >= unfixed);
    if (stuck !== undefined) {
      return {
        kind: 'stop',
        status: 'stalled',
        code: 'gap_unfixed',
        reason: `the same gap was left unfixed ${unfixed} times: ${stuck.description}`,
      };
    }
    const { attempts, broken, repaired } = ledgerOf(evidence);
    if (attempts < 2) return decision;
    if (broken > repaired) {
      return {
        kind: 'stop',
        status: 'stalled',
        code: 'harmful',
        reason: `${attempts} attempts broke ${broken} criteria and repaired ${repaired}`,
      };
    }
    return decision;
  };
  return mayAsk(inner) ? policy : asksNobody(policy);
}

/** Counts attempts in a row that should have fixed the gap, but did not improve its criterion. */
function stuckFor(gap: Gap, { history, review }: Evidence): number {
  const reviews: readonly UndecidedReview[] = [...history, review];
  const shows = (review: UndecidedReview): boolean => review.gaps.some(({ id }) => id === gap.id);
  const raised = reviews.some(shows);
  let failed = 0;
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const { decision } = history[index] as Review;
    const after = reviews[index + 1];
    if (
      decision.kind !== 'revise' ||
      decision.from === 'anew' ||
      after === undefined ||
      !decision.blocking.some(({ id }) => id === gap.id)
    )
      break;
    // an attempt whose criterion gave no answer left nothing unfixed
    if (raised ? !shows(after) : scoreFor(gap, after) < 0) break;
    if (bettered(gap, baseOf(after, reviews.slice(0, index + 1)), after)) break;
    failed += 1;
  }
  return failed;
}

/** The criterion has a higher score, or fewer gaps. */
function bettered(gap: Gap, before: UndecidedReview | undefined, after: UndecidedReview): boolean {
  const count = (review: UndecidedReview | undefined): number =>
    review?.gaps.filter(({ criterionId }) => criterionId === gap.criterionId).length ?? 0;
  return (
    scoreFor(gap, after) > scoreFor(gap, before) ||
    (count(after) > 0 && count(after) < count(before))
  );
}

function scoreFor(gap: Gap, review: UndecidedReview | undefined): number {
  const assessment = review?.assessments.find(({ criterion }) => criterion === gap.criterionId);
  return assessment !== undefined && isJudged(assessment) ? assessment.score : -1;
}
