import type { Assessment } from '../kernel/assessment.js';
import type { RequirementCoverage } from '../kernel/coverage.js';
import { invalid } from '../kernel/options.js';
import { requirementPrefix, type Scores, type ScoreWeights, scoresOf } from '../kernel/scores.js';

/**
 * Computes scores from what was judged, never from what a judge claims (seed 004).
 *
 * @example
 * ```ts
 * new QualityScorer({ weights: { quality: 0.5, completeness: 0.5, correctness: 0 } }).score({ assessments, coverage: [] });
 * ```
 */
export class QualityScorer {
  readonly #weights: ScoreWeights;

  /** @throws ReviewLoopError `invalid_options` for a negative weight, or when all are 0. */
  constructor(options: { readonly weights?: ScoreWeights | undefined } = {}) {
    this.#weights = checkedWeights(options.weights ?? {});
  }

  /** The scores of one version. */
  score(found: { readonly assessments: readonly Assessment[]; readonly coverage: readonly RequirementCoverage[] }): Scores {
    const counted = found.assessments.some(({ criterion }) => criterion.startsWith(requirementPrefix));
    const requirements = counted ? [] : found.coverage.map(asAssessment);
    return scoresOf([...found.assessments, ...requirements], this.#weights);
  }
}

/** @throws ReviewLoopError `invalid_options` */
export function checkedWeights(weights: ScoreWeights): ScoreWeights {
  const { quality = 0.4, completeness = 0.4, correctness = 0.2 } = weights;
  for (const [name, weight] of Object.entries({ quality, completeness, correctness })) {
    if (typeof weight !== 'number' || !(weight >= 0) || weight === Number.POSITIVE_INFINITY) throw invalid(`weights.${name}`, 'a number from 0', weight);
  }
  if (quality + completeness + correctness === 0) throw invalid('weights', 'at least one weight above 0', weights);
  return { quality, completeness, correctness };
}

function asAssessment(coverage: RequirementCoverage): Assessment {
  const verdict = coverage.covered ? 'pass' : 'fail';
  return { verdict, criterion: `${requirementPrefix}${coverage.requirement}`, score: coverage.covered ? 1 : 0, explanation: coverage.coverageDetails, gaps: [], coverage };
}
