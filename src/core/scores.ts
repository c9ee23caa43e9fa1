import { type Assessment, isJudged, type JudgedAssessment } from './assessment.js';
import { checkKeys, invalid } from './options.js';

/** How many of something were judged. */
export interface Denominator {
  /** Those that met what they were judged by. */
  readonly met: number;
  /** Those that got a verdict. */
  readonly judged: number;
  readonly total: number;
}

/** Scores from 0 to 1, computed in code from judged facts; `null` is unknown. */
export interface Scores {
  /** The mean score of the judged criteria. */
  readonly quality: number | null;
  /**
   * Satisfied requirements of all; skipped ones count as not satisfied. `null` while one is
   * undecided, or its judge failed.
   */
  readonly completeness: number | null;
  /** 1 minus the failed share of the criteria of category `incorrect`. */
  readonly correctness: number | null;
  /**
   * The weighted mean of the three. What has nothing of its kind counts as 1; what exists and was
   * skipped is left out, and for an empty output all that nobody was asked about. `null` if nothing
   * was judged, if something is undecided, or if a judge failed.
   */
  readonly overall: number | null;
  /**
   * The same two of what was decided, while something is open. Policies compare it with their
   * thresholds, so that an open question hides no low score. Undefined if nothing is open.
   */
  readonly soFar?: Pick<Scores, 'completeness' | 'overall'> | undefined;
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
}

/**
 * Returns the weights with their defaults.
 *
 * @throws ReviewLoopError `invalid_options` if a weight is negative, or if all are 0
 */
export function checkedWeights(weights: ScoreWeights): ScoreWeights {
  checkKeys('weights', weights, ['quality', 'completeness', 'correctness']);
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
 * Computes the scores of one version. What no judge gave a verdict on is counted in the totals and in no score.
 *
 * @param asked - Whether any reviewer was asked. If not, what is of no kind is unknown, too.
 */
export function scoresOf(
  assessments: readonly Assessment[],
  weights: ScoreWeights = {},
  asked = true,
): Scores {
  checkKeys('weights', weights, ['quality', 'completeness', 'correctness']);
  const requirements = assessments.filter(isRequirement);
  const criteria = assessments.filter(
    (assessment) =>
      !isRequirement(assessment) && !(isJudged(assessment) && assessment.comparison !== undefined),
  );
  const judged = criteria.filter(isJudged);
  const decided = requirements.filter(({ verdict }) => verdict !== 'undecided');
  const incorrect = judged.filter(({ category }) => category === 'incorrect');
  const judgedRequirements = requirements.filter(isJudged).length;
  const count = judged.length + judgedRequirements;
  const quality = judged.length === 0 ? null : meanOf(judged);
  const completeness = judgedRequirements === 0 ? null : share(decided);
  const correctness = share(incorrect);
  // what has nothing of its kind lowers no score; what nobody judged is left out of `overall`
  const none = asked ? 1 : null;
  const absent = (kind: readonly Assessment[]): 1 | null => (kind.length === 0 ? none : null);
  const parts = [
    quality ?? absent(criteria),
    completeness ?? absent(requirements),
    correctness ?? absent(incorrect),
  ];
  const overall = count === 0 ? null : overallOf(parts, weights);
  const isUnknown = assessments.some(isOpen);
  return {
    quality,
    completeness: requirements.some(isOpen) ? null : completeness,
    correctness,
    overall: isUnknown ? null : overall,
    ...(isUnknown && count > 0 && { soFar: { completeness, overall } }),
    judged: count,
    total: assessments.length,
    criteria: { met: passedOf(judged), judged: judged.length, total: criteria.length },
    requirements: {
      met: passedOf(decided),
      judged: judgedRequirements,
      total: requirements.length,
    },
  };
}

/** Whether a verdict may still come: nobody could tell, or the judge failed. */
function isOpen({ verdict }: Assessment): boolean {
  return verdict === 'undecided' || verdict === 'errored';
}

/** Returns the overall score of what was decided, though something may be open. */
export function overallSoFar({ overall, soFar }: Pick<Scores, 'overall' | 'soFar'>): number | null {
  return overall ?? soFar?.overall ?? null;
}

function meanOf(judged: readonly JudgedAssessment[]): number {
  return judged.reduce((sum, { score }) => sum + score, 0) / judged.length;
}

function isRequirement({ criterion }: Assessment): boolean {
  return criterion.startsWith(requirementPrefix);
}

function passedOf(assessments: readonly Assessment[]): number {
  return assessments.filter(({ verdict }) => verdict === 'pass').length;
}

/** Returns the share that passes; `null` of none. */
function share(assessments: readonly Assessment[]): number | null {
  return assessments.length === 0 ? null : passedOf(assessments) / assessments.length;
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

/** Scores without an unknown. */
export type KnownScores = {
  readonly [Name in Exclude<keyof Scores, 'soFar'>]: NonNullable<Scores[Name]>;
};

/** Returns the scores with 1 where there is nothing of a kind, as the self-review loop specifies. */
export function specifiedScores(scores: Scores): KnownScores {
  const { soFar, ...known } = scores;
  const { quality, completeness, correctness, criteria, requirements } = known;
  return {
    ...known,
    quality: quality ?? (criteria.total === 0 ? 1 : 0),
    completeness: completeness ?? soFar?.completeness ?? (requirements.total === 0 ? 1 : 0),
    correctness: correctness ?? 1,
    overall: overallSoFar(scores) ?? (scores.total === 0 ? 1 : 0),
  };
}
