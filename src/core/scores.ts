import { type Assessment, isJudged } from './assessment.js';
import { invalid } from './options.js';

/** How many of something were judged. */
export interface Denominator {
  /** Those that met what they were judged by. */
  readonly met: number;
  /** Those that got a verdict. */
  readonly judged: number;
  readonly total: number;
}

/** Scores from 0 to 1, computed in code from judged facts; `null` where nothing was judged. */
export interface Scores {
  /** The mean score of the judged criteria. */
  readonly quality: number | null;
  /** Satisfied requirements of those that were decided; skipped and failed ones count as not satisfied. */
  readonly completeness: number | null;
  /** 1 minus the failed share of the criteria of category `incorrect`. */
  readonly correctness: number | null;
  /** The weighted mean of those of the three that are known. */
  readonly overall: number | null;
  /** How many assessments gave a verdict, */
  readonly judged: number;
  /** The number of all assessments. */
  readonly total: number;
  /** What `quality` rests on. */
  readonly criteria: Denominator;
  /** What `completeness` rests on. */
  readonly requirements: Denominator;
}

/** How much each score counts in `overall`; only the ratios matter. */
export interface ScoreWeights {
  /** @default 0.4 */
  readonly quality?: number | undefined;
  /** @default 0.4 */
  readonly completeness?: number | undefined;
  /** @default 0.2 */
  readonly correctness?: number | undefined;
  /**
   * What a score is if there is nothing of its kind: unknown and left out of `overall`, or 1, as the
   * self-review loop specifies it. What exists and was not judged is always left out.
   *
   * @default 'left-out'
   */
  readonly unknown?: 'left-out' | 'full' | undefined;
}

/**
 * Returns the weights with their defaults.
 *
 * @throws ReviewLoopError `invalid_options` if a weight is negative, or if all are 0
 */
export function checkedWeights(weights: ScoreWeights): ScoreWeights {
  const { quality = 0.4, completeness = 0.4, correctness = 0.2, unknown = 'left-out' } = weights;
  for (const [name, weight] of Object.entries({ quality, completeness, correctness })) {
    if (typeof weight !== 'number' || !(weight >= 0) || weight === Number.POSITIVE_INFINITY)
      throw invalid(`weights.${name}`, 'a number from 0', weight);
  }
  if (quality + completeness + correctness === 0)
    throw invalid('weights', 'at least one weight above 0', weights);
  if (unknown !== 'left-out' && unknown !== 'full')
    throw invalid('weights.unknown', "'left-out' or 'full'", unknown);
  return { quality, completeness, correctness, unknown };
}

/**
 * Assessments of single requirements carry this prefix in `criterion`; they count towards
 * completeness.
 */
export const requirementPrefix = 'requirement:';

/** Computes the scores of one version. What no judge gave a verdict on is counted in the totals and in no score. */
export function scoresOf(assessments: readonly Assessment[], weights: ScoreWeights = {}): Scores {
  const requirements = assessments.filter(isRequirement);
  const criteria = assessments.filter(
    (assessment) =>
      !isRequirement(assessment) && !(isJudged(assessment) && assessment.comparison !== undefined),
  );
  const judged = criteria.filter(isJudged);
  const decided = requirements.filter(({ verdict }) => verdict !== 'undecided');
  const empty = weights.unknown === 'full' ? 1 : null;
  const sum = judged.reduce((total, { score }) => total + score, 0);
  const quality = judged.length > 0 ? sum / judged.length : criteria.length === 0 ? empty : null;
  const completeness =
    decided.length > 0 ? share(decided) : requirements.length === 0 ? empty : null;
  const incorrect = judged.filter(({ category }) => category === 'incorrect');
  const correctness = incorrect.length > 0 ? share(incorrect) : empty;
  const judgedRequirements = requirements.filter(isJudged).length;
  return {
    quality,
    completeness,
    correctness,
    overall: overallOf([quality, completeness, correctness], weights),
    judged: judged.length + judgedRequirements,
    total: assessments.length,
    criteria: { met: passedOf(judged), judged: judged.length, total: criteria.length },
    requirements: {
      met: passedOf(decided),
      judged: judgedRequirements,
      total: requirements.length,
    },
  };
}

function isRequirement({ criterion }: Assessment): boolean {
  return criterion.startsWith(requirementPrefix);
}

function passedOf(assessments: readonly Assessment[]): number {
  return assessments.filter(({ verdict }) => verdict === 'pass').length;
}

/** The share that passes. */
function share(assessments: readonly Assessment[]): number {
  return passedOf(assessments) / assessments.length;
}

function overallOf(
  values: readonly (number | null)[],
  { quality = 0.4, completeness = 0.4, correctness = 0.2 }: ScoreWeights,
): number | null {
  const weights = [quality, completeness, correctness];
  let sum = 0;
  let total = 0;
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const weight = weights[index] ?? 0;
    sum += weight;
    total += value * weight;
  }
  return sum === 0 ? null : Math.round((total / sum) * 1e12) / 1e12;
}

/** Returns a score for people: two decimals, cut instead of rounded, so that 0.7996 never reads as 0.8. */
export function scoreText(score: number | null): string {
  return score === null ? 'unknown' : cut(score, 2);
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
