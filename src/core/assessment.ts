import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { RequirementCoverageSchema } from './coverage.js';
import { isReviewError, type ReviewError } from './errors.js';
import { GapCategorySchema, GapSchema } from './gap.js';

/** How several judges voted on one criterion. */
export const VotesSchema = builtOnUse(() =>
  z.object({
    pass: z.int().min(0),
    fail: z.int().min(0),
    /** Judges that gave no verdict. */
    failed: z.int().min(0),
    /** The share of pairs of votes that agree; 1 of a single vote. */
    agreement: z.number().min(0).max(1),
    /** About how many independent votes they are worth, after the correlation that was assumed; at most their number. */
    effective: z.number().min(0),
  }),
);
/** How several judges voted on one criterion. */
export type Votes = z.infer<typeof VotesSchema>;

/** How a version compares with an earlier one of its run. */
export const ComparisonSchema = builtOnUse(() =>
  z.object({
    /** The iteration of the other version. */
    with: z.int().min(1),
    result: z.enum(['better', 'worse', 'tie']),
    /** Whether the preference changed with the order in which they were shown; that is a tie. */
    flipped: z.boolean(),
  }),
);
/** How a version compares with an earlier one of its run. */
export type Comparison = z.infer<typeof ComparisonSchema>;

/** What both verdicts say. */
const saidOf = () => ({
  criterion: z.string(),
  /** From 0 to 1. */
  score: z.number().min(0).max(1),
  explanation: z.string(),
  gaps: z.array(GapSchema).readonly(),
  /** What a failure of this criterion would mean; `correctness` is counted over the `incorrect` ones. */
  category: GapCategorySchema.optional(),
  /** How a requirement is covered, where the criterion is one. */
  coverage: RequirementCoverageSchema.optional(),
  /** How several judges voted, where they gave this verdict together. */
  votes: VotesSchema.optional(),
  /** How the version compares with an earlier one. Such an assessment is no verdict on the version alone, and has no part in its scores. */
  comparison: ComparisonSchema.optional(),
});

/**
 * What one reviewer says of one criterion. Only `pass` counts as a pass: `skipped` says why it was not judged,
 * `errored` says why the judge failed.
 */
export const AssessmentSchema = builtOnUse(() => {
  const said = saidOf();
  return z.discriminatedUnion('verdict', [
    /** A pass scores above 0: `passed` follows from the score. */
    z.object({ verdict: z.literal('pass'), ...said, score: said.score.gt(0) }),
    z.object({ verdict: z.literal('fail'), ...said }),
    z.object({ verdict: z.literal('skipped'), criterion: z.string(), reason: z.string().min(1) }),
    z.object({
      verdict: z.literal('errored'),
      criterion: z.string(),
      error: z.custom<ReviewError>(isReviewError),
    }),
  ]);
});

/** What one reviewer says of one criterion. */
export type Assessment = z.infer<typeof AssessmentSchema>;

/** An assessment that carries a verdict and a score. */
export type JudgedAssessment = Extract<Assessment, { verdict: 'pass' | 'fail' }>;

/** Whether a judge gave a verdict, in contrast to skipping or failing. */
export function isJudged(assessment: Assessment): assessment is JudgedAssessment {
  return assessment.verdict === 'pass' || assessment.verdict === 'fail';
}

/** Whether an assessment is a verdict on the version alone: not one that compares it, and none that is missing. */
export function isVerdict(assessment: Assessment): assessment is JudgedAssessment {
  return isJudged(assessment) && assessment.comparison === undefined;
}

/** Assessments that were built from checked parts, so that they need not be checked once more. */
export class VerifiedAssessments {
  readonly assessments: readonly Assessment[];
  readonly proposal = undefined;

  constructor(...assessments: readonly Assessment[]) {
    this.assessments = assessments;
  }
}
