import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { RequirementCoverageSchema } from '../../core/coverage.js';
import { countOf, GapSchema } from '../../core/gap.js';

const known = builtOnUse(() => z.number().min(0).max(1));
const score = builtOnUse(() => known.nullable());

/** The thresholds are met, gaps remain, or a person must decide. */
export const ReviewDecisionSchema = builtOnUse(() =>
  z.enum(['approved', 'needs_work', 'escalate']),
);
/** The decision of a self-review. */
export type ReviewDecision = z.infer<typeof ReviewDecisionSchema>;

/**
 * The record of one review. The three gap counts must match `gaps`. A score is `null` where it is
 * unknown. `qualityScore` is the weighted score of what was decided, 0 if nothing was; it is
 * `overallScore`, unless that is unknown.
 */
export const SelfReviewResultSchema = builtOnUse(() =>
  z
    .object({
      reviewId: z.string(),
      taskId: z.string(),
      agentId: z.string(),
      iteration: z.int().min(1),
      qualityScore: known,
      completenessScore: score,
      correctnessScore: score,
      overallScore: score,
      taskRequirements: z.array(z.string()),
      requirementsCovered: z.array(RequirementCoverageSchema),
      gaps: z.array(GapSchema),
      /** Gaps of the version before that nobody judged again: gone, or unknown. */
      closedGaps: z.array(GapSchema).optional(),
      criticalGapCount: z.int().min(0),
      majorGapCount: z.int().min(0),
      minorGapCount: z.int().min(0),
      decision: ReviewDecisionSchema,
      reasoning: z.string(),
      reviewDurationMs: z.number().min(0),
      tokensUsed: z.number().min(0).optional(),
      timestamp: z.string(),
    })
    .refine(
      (result) =>
        (['critical', 'major', 'minor'] as const).every(
          (severity) => result[`${severity}GapCount`] === countOf(result.gaps, severity),
        ),
      {
        message: 'the gap counts do not match the gaps',
      },
    ),
);
/** The record of one review. */
export interface SelfReviewResult extends z.infer<typeof SelfReviewResultSchema> {}
