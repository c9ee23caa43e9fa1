import { type Assessment, isJudged } from '../core/assessment.js';
import { messageOf, type ReviewError } from '../core/errors.js';
import type { Outcome } from '../core/outcome.js';
import type { Review } from '../core/review.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension, DimensionIssue } from './dimension.js';
import { issuesOf } from './from-dimension.js';
import { levelOfScore, type QualityLevel } from './quality-level.js';

/** Which dimension it is, and what it says. */
export interface NamedDimension {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly explanation: string;
}

/** How one dimension came out. */
export type StageDimension =
  | (NamedDimension & {
      readonly level: QualityLevel;
      readonly passed: boolean;
      readonly issues: readonly DimensionIssue[];
    })
  /** It could not be assessed; that is no level. */
  | (NamedDimension & {
      readonly level: undefined;
      readonly passed: false;
      readonly issues: readonly [];
      readonly error: ReviewError | undefined;
    });

/** What the last review of a run says of each dimension. */
export function stageDimensionsOf(
  dimensions: readonly Dimension[],
  run: Outcome<CompletedWork>,
): StageDimension[] {
  return dimensionsOf(dimensions, run.reviews.at(-1), run.error);
}

/** What a review says of each dimension; those that nobody came to are failed ones. */
export function dimensionsOf(
  dimensions: readonly Dimension[],
  review: Review | undefined,
  error?: ReviewError,
): StageDimension[] {
  const assessments = new Map<string, Assessment>(
    review?.assessments.map((assessment) => [assessment.criterion, assessment]),
  );
  return dimensions.map(({ id, name, shortName = name }) => {
    const named = { id, name, shortName };
    const assessment = assessments.get(id);
    if (assessment === undefined)
      return {
        ...named,
        level: undefined,
        passed: false,
        explanation: 'not assessed',
        issues: [],
        error,
      };
    if (isJudged(assessment)) {
      return {
        ...named,
        level: levelOfScore(assessment.score),
        passed: assessment.verdict === 'pass',
        explanation: assessment.explanation,
        issues: issuesOf(assessment),
      };
    }
    if (assessment.verdict === 'errored')
      return {
        ...named,
        level: undefined,
        passed: false,
        explanation: messageOf(assessment.error),
        issues: [],
        error: assessment.error,
      };
    return {
      ...named,
      level: undefined,
      passed: false,
      explanation: assessment.reason,
      issues: [],
      error: undefined,
    };
  });
}
