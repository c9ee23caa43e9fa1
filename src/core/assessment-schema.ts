import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { RequirementCoverageSchema } from './coverage.js';
import { isReviewError, type ReviewError } from './errors.js';
import { GapCategorySchema, GapSchema } from './gap.js';
import { GradeSchema } from './grade.js';
import { withinRange } from './score-text.js';

export const VotesSchema = builtOnUse(() =>
  z.object({
    /** The number of judges that voted for a pass. */
    pass: z.int().min(0),
    /** The number of judges that voted for a fail. */
    fail: z.int().min(0),
    /** Judges that gave no verdict. */
    failed: z.int().min(0),
    /** The share of pairs of votes that agree, from 0 to 1; 1 for a single vote. */
    agreement: z.number().min(0).max(1),
    /** Who voted what, in the order of the votes; the name of a provider, and of its model. */
    by: z
      .array(
        z.object({
          judge: z.string(),
          model: z.string().optional(),
          passed: z.boolean(),
          /** The grade behind the vote, if the judge gave one. */
          grade: GradeSchema.optional(),
        }),
      )
      .readonly()
      .optional(),
    /** How often the text had been edited, if the reviewer counts that. */
    edits: z.int().min(0).optional(),
  }),
);
export const ComparisonSchema = builtOnUse(() =>
  z.object({
    /** The iteration of the other version. */
    with: z.int().min(1),
    /** How this version is, compared with the other one. */
    result: z.enum(['better', 'worse', 'tie']),
    /**
     * Whether the preference changed with the order of the two versions. The result is then a tie.
     */
    flipped: z.boolean(),
  }),
);
const saidOf = () => ({
  criterion: z.string(),
  score: z.number().overwrite(withinRange).min(0).max(1),
  explanation: z.string(),
  gaps: z.array(GapSchema).readonly(),
  category: GapCategorySchema.optional(),
  coverage: RequirementCoverageSchema.optional(),
  grade: GradeSchema.optional(),
  votes: VotesSchema.optional(),
  comparison: ComparisonSchema.optional(),
});

/**
 * What one reviewer says about one criterion. Only `pass` counts as a pass. `undecided` says why the judge could not
 * tell, `skipped` why the criterion does not apply, `errored` why the judge failed.
 */
export const AssessmentSchema = builtOnUse(() => {
  const said = saidOf();
  return z.discriminatedUnion('verdict', [
    /** A pass scores above 0, because `passed` follows from the score. */
    z.object({ verdict: z.literal('pass'), ...said, score: said.score.gt(0) }),
    z.object({ verdict: z.literal('fail'), ...said }),
    z.object({
      verdict: z.literal('undecided'),
      criterion: z.string(),
      reason: z.string().min(1),
      question: z.string().min(1).optional(),
      decidableBy: z.array(z.string().min(1)).readonly(),
      mandatory: z.boolean().optional(),
      coverage: RequirementCoverageSchema.optional(),
    }),
    z.object({ verdict: z.literal('skipped'), criterion: z.string(), reason: z.string().min(1) }),
    z.object({
      verdict: z.literal('errored'),
      criterion: z.string(),
      error: z.custom<ReviewError>(isReviewError),
    }),
  ]);
});
