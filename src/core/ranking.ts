import { isVerdict } from './assessment.js';
import { isOpen } from './gap.js';
import { checkKeys, invalid } from './options.js';
import { asksNobody, type UndecidedReview } from './policy.js';
import { scoresOf } from './scores.js';
import { severityRank } from './severity.js';

/**
 * A pure function that returns whether the challenger replaces the incumbent as the best version.
 */
export type Ranking = (challenger: UndecidedReview, incumbent: UndecidedReview) => boolean;

/** Criteria that must keep passing: their ids, or a function that tests an id. */
export type ProtectedCriteria = readonly string[] | ((criterion: string) => boolean);

/** Options of {@link keepBest}. */
export interface KeepBestOptions {
  /** Criteria that must keep passing, whatever the scores. @default [] */
  readonly protect?: ProtectedCriteria | undefined;
}

/**
 * Returns a ranking that keeps the best version. The challenger wins if all of this is true:
 *
 * - it has a score for every criterion that the incumbent has a score for,
 * - every protected criterion that passed still passes,
 * - its worst open gap is less severe; or equally severe, and its overall score is strictly higher.
 *
 * A tie keeps the incumbent. If the challenger has more scores, for example of confirming judges,
 * only the shared criteria are compared, scores and gaps alike. The rule follows TextGrad, which
 * reverts worse versions. Studies also show that repeated edits degrade the security of generated
 * code.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const ranking = keepBest({ protect: ['safe'] });
 * const pipeline = definePipeline({ ...options, ranking });
 * ```
 */
export function keepBest(options: KeepBestOptions = {}): Ranking {
  checkKeys('keepBest', options, ['protect']);
  const isProtected = protection(options.protect);
  return asksNobody((challenger: UndecidedReview, incumbent: UndecidedReview) => {
    const scored = new Set(
      challenger.assessments.filter(isVerdict).map(({ criterion }) => criterion),
    );
    const before = incumbent.assessments.filter(isVerdict).map(({ criterion }) => criterion);
    if (
      !before.every((criterion) => scored.has(criterion)) ||
      turnedFromPass(incumbent, challenger, isProtected).length > 0
    )
      return false;
    const shared = new Set(before);
    const isNew = (criterion: string) => scored.has(criterion) && !shared.has(criterion);
    const worse = worstOf(challenger, isNew) - worstOf(incumbent, isNew);
    if (worse !== 0) return worse < 0;
    if (scored.size === before.length)
      return (challenger.scores.overall ?? -1) > (incumbent.scores.overall ?? -1);
    return overallOn(shared, challenger) > overallOn(shared, incumbent);
  });
}

/**
 * How severe the worst open gap is: 0 without one, 3 for a critical one. Gaps of criteria that only
 * one version was judged by do not count: what was not asked about a version is not better there.
 */
function worstOf({ gaps }: UndecidedReview, isLeftOut: (criterion: string) => boolean): number {
  const compared = gaps
    .filter(isOpen)
    .filter(({ criterionId }) => criterionId === undefined || !isLeftOut(criterionId));
  return Math.max(0, ...compared.map(({ severity }) => severityRank(severity) + 1));
}

/** The overall score on some criteria. Those that only later judges gave must not count against who got as far as them. */
function overallOn(criteria: ReadonlySet<string>, { assessments }: UndecidedReview): number {
  return scoresOf(assessments.filter(({ criterion }) => criteria.has(criterion))).overall ?? -1;
}

/**
 * Returns a function that tests whether a criterion is protected.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function protection(given: ProtectedCriteria | undefined): (criterion: string) => boolean {
  if (typeof given === 'function') return given;
  if (given !== undefined && !(Array.isArray(given) && given.every((id) => typeof id === 'string')))
    throw invalid('protect', 'a list of ids, or a function', given);
  const ids = new Set(given);
  return (criterion) => ids.has(criterion);
}

/** Returns the protected criteria that pass in one version and not in the other. */
export function turnedFromPass(
  before: UndecidedReview,
  after: UndecidedReview,
  isProtected: (criterion: string) => boolean,
): readonly string[] {
  const passing = new Set(
    after.assessments.filter(({ verdict }) => verdict === 'pass').map(({ criterion }) => criterion),
  );
  return before.assessments
    .filter(
      ({ verdict, criterion }) =>
        verdict === 'pass' && isProtected(criterion) && !passing.has(criterion),
    )
    .map(({ criterion }) => criterion);
}
