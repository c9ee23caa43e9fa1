import { type Assessment, isJudged } from '../../core/assessment.js';
import { messageOf, type ReviewError } from '../../core/errors.js';
import type { Review } from '../../core/review.js';
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
    const found = assessments.get(id);
    if (found !== undefined && isJudged(found))
      return {
        ...named,
        level: levelOfScore(found.score),
        passed: found.verdict === 'pass',
        explanation: found.explanation,
        issues: issuesOf(found),
      };
    const open = { ...named, level: undefined, passed: false, issues: [] } as const;
    if (found === undefined || found.verdict === 'errored') {
      const explanation = found === undefined ? 'not assessed' : messageOf(found.error);
      return { ...open, explanation, verdict: 'errored', error: found?.error ?? error };
    }
    return { ...open, explanation: found.reason, verdict: found.verdict, error: undefined };
  });
}
