import { type Assessment, isJudged } from './assessment.js';
import { invalid } from './options.js';

/** Scores from 0 to 1, computed in code from judged facts. */
export interface Scores {
  /** The mean score of the judged criteria: 0 if none was judged, 1 if there are no criteria. */
  readonly quality: number;
  /** The share of requirements that pass; 1 if there are no requirements. */
  readonly completeness: number;
  /** The share of judged criteria of category `incorrect` that pass; 1 if there are none. */
  readonly correctness: number;
  /** The weighted mean of the three. */
  readonly overall: number;
  /** The number of assessments with a verdict, without comparisons. */
  readonly judged: number;
  /** The number of all assessments. */
  readonly total: number;
}

/** How much each score counts in `overall`; only the ratios matter. */
export interface ScoreWeights {
  /** @default 0.4 */
  readonly quality?: number | undefined;
  /** @default 0.4 */
  readonly completeness?: number | undefined;
  /** @default 0.2 */
  readonly correctness?: number | undefined;
}

/**
 * Returns the weights with their defaults.
 *
 * @throws ReviewLoopError `invalid_options` if a weight is negative, or if all are 0
 */
export function checkedWeights(weights: ScoreWeights): ScoreWeights {
  const { quality = 0.4, completeness = 0.4, correctness = 0.2 } = weights;
  for (const [name, weight] of Object.entries({ quality, completeness, correctness })) {
    if (typeof weight !== 'number' || !(weight >= 0) || weight === Number.POSITIVE_INFINITY)
      throw invalid(`weights.${name}`, 'a number from 0', weight);
  }
  if (quality + completeness + correctness === 0)
    throw invalid('weights', 'at least one weight above 0', weights);
  return { quality, completeness, correctness };
}

/**
 * Assessments of single requirements carry this prefix in `criterion`; they count towards
 * completeness.
 */
export const requirementPrefix = 'requirement:';

/**
 * Returns the scores of one version. Skipped and errored criteria count in `total` only. A
 * requirement that is skipped or errored lowers `completeness`.
 */
export function scoresOf(assessments: readonly Assessment[], weights: ScoreWeights = {}): Scores {
  const requirements = assessments.filter(isRequirement);
  const criteria = assessments.filter(
    (assessment) =>
      !isRequirement(assessment) && !(isJudged(assessment) && assessment.comparison !== undefined),
  );
  const judged = criteria.filter(isJudged);
  const incorrectKind = judged.filter(({ category }) => category === 'incorrect');
  const mean = judged.reduce((sum, { score }) => sum + score, 0) / Math.max(1, judged.length);
  const quality =
    criteria.length === 0 && (requirements.length > 0 || assessments.length === 0) ? 1 : mean;
  const completeness = share(requirements);
  const correctness = share(incorrectKind);
  const overall = weighted(
    [quality, completeness, correctness],
    [weights.quality ?? 0.4, weights.completeness ?? 0.4, weights.correctness ?? 0.2],
  );
  return {
    quality,
    completeness,
    correctness,
    overall,
    judged: judged.length + requirements.filter(isJudged).length,
    total: assessments.length,
  };
}

function isRequirement({ criterion }: Assessment): boolean {
  return criterion.startsWith(requirementPrefix);
}

/** Returns the share that passes; 1 for an empty list. */
function share(assessments: readonly Assessment[]): number {
  return assessments.length === 0
    ? 1
    : assessments.filter(({ verdict }) => verdict === 'pass').length / assessments.length;
}

function weighted(values: readonly number[], weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const mean =
    values.reduce((total, value, index) => total + value * (weights[index] ?? 0), 0) / sum;
  return Math.round(mean * 1e12) / 1e12;
}

/**
 * Returns a score for people: two decimals, cut instead of rounded, so that 0.7996 never reads as
 * 0.8.
 */
export function scoreText(score: number): string {
  return cut(score, 2);
}

/** Returns the text that a score is below its bar, with enough decimals to show the difference. */
export function scoreBelow(name: string, score: number, bar: number): string {
  let digits = 2;
  while (digits < 12 && cut(score, digits) === cut(bar, digits)) digits += 1;
  return `${name} ${cut(score, digits)} is below ${cut(bar, digits)}`;
}

function cut(value: number, digits: number): string {
  const scale = 10 ** digits;
  return String(Math.floor(value * scale + 1e-10) / scale);
}
