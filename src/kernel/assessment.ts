import * as z from 'zod';
import { RequirementCoverageSchema } from './coverage.js';
import { isReviewError, type ReviewError } from './errors.js';
import { GapCategorySchema, GapSchema } from './gap.js';

const judged = {
  criterion: z.string(),
  /** From 0 to 1. */
  score: z.number().min(0).max(1),
  explanation: z.string(),
  gaps: z.array(GapSchema).readonly(),
  /** What a failure of this criterion would mean; `correctness` is counted over the `incorrect` ones. */
  category: GapCategorySchema.optional(),
  /** How a requirement is covered, where the criterion is one. */
  coverage: RequirementCoverageSchema.optional(),
};

/**
 * What one reviewer says of one criterion. Only `pass` counts as a pass: `skipped` says why it was not judged,
 * `errored` says why the judge failed.
 */
export const AssessmentSchema = z.discriminatedUnion('verdict', [
  /** A pass scores above 0: `passed` follows from the score (law 10). */
  z.object({ verdict: z.literal('pass'), ...judged, score: judged.score.gt(0) }),
  z.object({ verdict: z.literal('fail'), ...judged }),
  z.object({ verdict: z.literal('skipped'), criterion: z.string(), reason: z.string().min(1) }),
  z.object({ verdict: z.literal('errored'), criterion: z.string(), error: z.custom<ReviewError>(isReviewError) }),
]);

/** What one reviewer says of one criterion. */
export type Assessment = z.infer<typeof AssessmentSchema>;

/** An assessment that carries a verdict and a score. */
export type Judged = Extract<Assessment, { verdict: 'pass' | 'fail' }>;

/** Whether a judge gave a verdict, in contrast to skipping or failing. */
export function isJudged(assessment: Assessment): assessment is Judged {
  return assessment.verdict === 'pass' || assessment.verdict === 'fail';
}

/** Assessments that were built from checked parts, so that they need not be checked once more. */
export class VerifiedAssessments {
  readonly assessments: readonly Assessment[];
  readonly proposal = undefined;

  constructor(...assessments: readonly Assessment[]) {
    this.assessments = assessments;
  }
}
