import { type Assessment, isJudged } from '../../core/assessment.js';
import { messageOf, type ReviewError } from '../../core/errors.js';
import type { Outcome } from '../../core/outcome.js';
import type { Review } from '../../core/review.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension, DimensionIssue } from './dimension.js';
import { issuesOf } from './from-dimension.js';
import { levelOfScore, type QualityLevel } from './quality-level.js';

export interface NamedDimension {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly explanation: string;
}

/** The result of one dimension in a stage. */
export type StageDimension =
  | (NamedDimension & {
      readonly level: QualityLevel;
      readonly passed: boolean;
      readonly issues: readonly DimensionIssue[];
    })
  /** A dimension without a level: a failed judge, an open question, or nothing to judge. */
  | (NamedDimension & {
      readonly level: undefined;
      readonly passed: false;
      readonly issues: readonly [];
      readonly verdict: 'errored' | 'undecided' | 'skipped';
      readonly error: ReviewError | undefined;
    });

export function stageDimensionsOf(
  dimensions: readonly Dimension[],
  run: Outcome<CompletedWork>,
): StageDimension[] {
  return dimensionsOf(dimensions, run.reviews.at(-1), run.error);
}

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
        verdict: 'errored',
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
        verdict: 'errored',
        error: assessment.error,
      };
    return {
      ...named,
      level: undefined,
      passed: false,
      explanation: assessment.reason,
      issues: [],
      verdict: assessment.verdict,
      error: undefined,
    };
  });
}
