import { type Assessment, isJudged } from './assessment.js';
import { checkKeys, invalid } from './options.js';

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
  readonly criteria: Denominator;
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
  return scoresBy(assessments, weights, asked);
}

class Tally {
  met = 0;
  judged = 0;
  undecided = 0;
  open = 0;
  total = 0;
  sum = 0;

  add(assessment: Assessment): void {
    const { verdict } = assessment;
    this.total += 1;
    if (isJudged(assessment)) {
      this.judged += 1;
      this.sum += assessment.score;
      if (verdict === 'pass') this.met += 1;
    } else if (isOpen(assessment)) {
      this.open += 1;
      if (verdict === 'undecided') this.undecided += 1;
    }
  }

  get counts(): Denominator {
    return { met: this.met, judged: this.judged, total: this.total };
  }
}

function talliesOf(assessments: readonly Assessment[]) {
  const requirements = new Tally();
  const criteria = new Tally();
  const incorrect = new Tally();
  for (const assessment of assessments) {
    if (isRequirement(assessment)) requirements.add(assessment);
    else if (!isJudged(assessment)) criteria.add(assessment);
    else if (assessment.comparison === undefined) {
      criteria.add(assessment);
      if (assessment.category === 'incorrect') incorrect.add(assessment);
    }
  }
  return { requirements, criteria, incorrect };
}

export function scoresBy(
  assessments: readonly Assessment[],
  weights: ScoreWeights,
  asked: boolean,
): Scores {
  const { requirements, criteria, incorrect } = talliesOf(assessments);
  const count = criteria.judged + requirements.judged;
  const quality = criteria.judged === 0 ? null : criteria.sum / criteria.judged;
  const decided = requirements.total - requirements.undecided;
  const completeness = requirements.judged === 0 ? null : requirements.met / decided;
  const correctness = incorrect.total === 0 ? null : incorrect.met / incorrect.total;
  // what has nothing of its kind lowers no score; what nobody judged is left out of `overall`
  const none = asked ? 1 : null;
  const absent = ({ total }: Tally): 1 | null => (total === 0 ? none : null);
  const parts = [
    quality ?? absent(criteria),
    completeness ?? absent(requirements),
    correctness ?? absent(incorrect),
  ];
  const overall = count === 0 ? null : overallOf(parts, weights);
  const isUnknown = requirements.open + criteria.open > 0;
  return {
    quality,
    completeness: requirements.open > 0 ? null : completeness,
    correctness,
    overall: isUnknown ? null : overall,
    ...(isUnknown && count > 0 && { soFar: { completeness, overall } }),
    judged: count,
    total: assessments.length,
    criteria: criteria.counts,
    requirements: requirements.counts,
  };
}

/** Whether a verdict may still come: nobody could tell, or the judge failed. */
function isOpen({ verdict }: Assessment): boolean {
  return verdict === 'undecided' || verdict === 'errored';
}

export function overallSoFar({ overall, soFar }: Pick<Scores, 'overall' | 'soFar'>): number | null {
  return overall ?? soFar?.overall ?? null;
}

function isRequirement({ criterion }: Assessment): boolean {
  return criterion.startsWith(requirementPrefix);
}

function overallOf(
  values: readonly (number | null)[],
  { quality = 0.4, completeness = 0.4, correctness = 0.2 }: ScoreWeights,
): number | null {
  const weights = [quality, completeness, correctness];
  let sum = 0;
  let total = 0;
  values.forEach((value, index) => {
    if (value === null) return;
    const weight = weights[index] ?? 0;
    sum += weight;
    total += value * weight;
  });
  return sum === 0 ? null : Math.round((total / sum) * 1e12) / 1e12;
}

/** Scores without an unknown. */
export type KnownScores = {
  readonly [Name in Exclude<keyof Scores, 'soFar'>]: NonNullable<Scores[Name]>;
};

/** 1 where there is nothing of a kind, as the self-review loop specifies. */
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
