import type { Assessment } from '../core/assessment.js';
import type { RequirementCoverage } from '../core/coverage.js';
import { checkKeys } from '../core/options.js';
import {
  checkedWeights,
  type KnownScores,
  requirementPrefix,
  type ScoreWeights,
  scoresOf,
  specifiedScores,
} from '../core/scores.js';

/**
 * Computes scores from assessments and coverage, never from the claims of a judge. A score with
 * nothing to count is 1.
 *
 * @example
 * ```ts
 * const scorer = new QualityScorer({
 *   weights: { quality: 0.5, completeness: 0.5, correctness: 0 },
 * });
 * scorer.score({ assessments, coverage: [] });
 * ```
 */
export class QualityScorer {
  readonly #weights: ScoreWeights;

  /** @throws ReviewLoopError `invalid_options` for a negative weight, or if all are 0 */
  constructor(options: { readonly weights?: ScoreWeights | undefined } = {}) {
    checkKeys('QualityScorer', options, ['weights']);
    this.#weights = checkedWeights(options.weights ?? {});
  }

  /** Returns the scores of one version. */
  score(found: {
    readonly assessments: readonly Assessment[];
    readonly coverage: readonly RequirementCoverage[];
  }): KnownScores {
    const counted = found.assessments.some(({ criterion }) =>
      criterion.startsWith(requirementPrefix),
    );
    const requirements = counted ? [] : found.coverage.map(asAssessment);
    return specifiedScores(scoresOf([...found.assessments, ...requirements], this.#weights));
  }
}

function asAssessment(coverage: RequirementCoverage): Assessment {
  const verdict = coverage.covered ? 'pass' : 'fail';
  return {
    verdict,
    criterion: `${requirementPrefix}${coverage.requirement}`,
    score: coverage.covered ? 1 : 0,
    explanation: coverage.coverageDetails,
    gaps: [],
    coverage,
  };
}
