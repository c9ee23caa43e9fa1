import { type Assessment, isJudged } from '../../kernel/assessment.js';
import type { CompletedWork } from '../../kernel/completed-work.js';
import type { Dimension, DimensionIssue } from '../../kernel/dimension.js';
import type { ReviewError } from '../../kernel/errors.js';
import type { Outcome } from '../../kernel/outcome.js';
import { levelOfScore, type QualityLevel } from '../../kernel/quality-level.js';
import { issuesOf } from '../../reviewers/from-dimension.js';

/** How one dimension came out. */
export type StageDimension =
  | { readonly id: string; readonly name: string; readonly level: QualityLevel; readonly passed: boolean; readonly explanation: string; readonly issues: readonly DimensionIssue[] }
  /** It could not be assessed; that is no level. */
  | {
      readonly id: string;
      readonly name: string;
      readonly level: undefined;
      readonly passed: false;
      readonly explanation: string;
      readonly issues: readonly [];
      readonly error: ReviewError | undefined;
    };

/** What the last review says of each dimension; those that nobody came to are failed ones. */
export function stageDimensionsOf(dimensions: readonly Dimension[], run: Outcome<CompletedWork>): StageDimension[] {
  const assessments = new Map<string, Assessment>(run.reviews.at(-1)?.assessments.map((assessment) => [assessment.criterion, assessment]));
  return dimensions.map(({ id, name }) => {
    const assessment = assessments.get(id);
    if (assessment === undefined) return { id, name, level: undefined, passed: false, explanation: 'not assessed', issues: [], error: run.error };
    if (isJudged(assessment)) {
      return { id, name, level: levelOfScore(assessment.score), passed: assessment.verdict === 'pass', explanation: assessment.explanation, issues: issuesOf(assessment) };
    }
    const [explanation, error] = assessment.verdict === 'errored' ? [assessment.error.message, assessment.error] : [assessment.reason, undefined];
    return { id, name, level: undefined, passed: false, explanation, issues: [], error };
  });
}
