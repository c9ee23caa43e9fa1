import * as z from 'zod';
import type { Gap } from './gap.js';
import { GapSchema } from './gap.js';
import type { Review } from './review.js';
import type { Severity } from './severity.js';

const score = z.number().min(0).max(1);

/** How one requirement of the task is covered by an output (seed 004). */
export const RequirementCoverageSchema = z.object({
  requirement: z.string(),
  source: z.enum(['explicit', 'implicit', 'inferred']),
  covered: z.boolean(),
  coverageDetails: z.string(),
  evidenceLocation: z.string().optional(),
  /** From 0 to 1. */
  confidence: score,
});
/** How one requirement of the task is covered by an output. */
export type RequirementCoverage = z.infer<typeof RequirementCoverageSchema>;

/** Seed 004's decision: thresholds met, gaps to address, or a person is needed. */
export const ReviewDecisionSchema = z.enum(['approved', 'needs_work', 'escalate']);
/** Seed 004's decision. */
export type ReviewDecision = z.infer<typeof ReviewDecisionSchema>;

/** Seed 004's record of one review. The three gap counts are checked against `gaps` (D004-41). */
export const SelfReviewResultSchema = z
  .object({
    reviewId: z.string(),
    taskId: z.string(),
    agentId: z.string(),
    iteration: z.int().min(1),
    qualityScore: score,
    completenessScore: score,
    correctnessScore: score,
    overallScore: score,
    taskRequirements: z.array(z.string()),
    requirementsCovered: z.array(RequirementCoverageSchema),
    gaps: z.array(GapSchema),
    criticalGapCount: z.int().min(0),
    majorGapCount: z.int().min(0),
    minorGapCount: z.int().min(0),
    decision: ReviewDecisionSchema,
    reasoning: z.string(),
    reviewDurationMs: z.number().min(0),
    tokensUsed: z.number().min(0).optional(),
    timestamp: z.string(),
  })
  .refine((result) => (['critical', 'major', 'minor'] as const).every((severity) => result[`${severity}GapCount`] === countOf(result.gaps, severity)), {
    message: 'the gap counts do not match the gaps',
  });
/** Seed 004's record of one review. */
export type SelfReviewResult = z.infer<typeof SelfReviewResultSchema>;

/** How many gaps are of one severity. */
export function countOf(gaps: readonly Gap[], severity: Severity): number {
  return gaps.filter((gap) => gap.severity === severity).length;
}

const sentences: Readonly<Record<ReviewDecision, string>> = {
  approved: 'All quality thresholds met.',
  needs_work: 'Addressing identified gaps.',
  escalate: 'Escalating for human review.',
};

/** Seed 004's decision for a decided review. */
export function reviewDecisionOf(review: Review): ReviewDecision {
  switch (review.decision.kind) {
    case 'approve':
      return 'approved';
    case 'revise':
      return 'needs_work';
    case 'ask':
      return 'escalate';
    case 'stop':
      return review.decision.status === 'exhausted' || review.decision.status === 'stalled' ? 'needs_work' : 'escalate';
  }
}

/** Seed 004's record of a review. */
export function selfReviewResultOf(
  review: Review,
  about: { readonly reviewId: string; readonly taskId: string; readonly agentId: string; readonly coverage: readonly RequirementCoverage[]; readonly tokensUsed?: number | undefined },
): SelfReviewResult {
  const gaps = [...review.gaps];
  const decision = reviewDecisionOf(review);
  return {
    reviewId: about.reviewId,
    taskId: about.taskId,
    agentId: about.agentId,
    iteration: review.iteration,
    qualityScore: review.scores.quality,
    completenessScore: review.scores.completeness,
    correctnessScore: review.scores.correctness,
    overallScore: review.scores.overall,
    taskRequirements: about.coverage.map((entry) => entry.requirement),
    requirementsCovered: [...about.coverage],
    gaps,
    criticalGapCount: countOf(gaps, 'critical'),
    majorGapCount: countOf(gaps, 'major'),
    minorGapCount: countOf(gaps, 'minor'),
    decision,
    reasoning: reasoningOf(review, decision),
    reviewDurationMs: review.durationMs,
    ...(about.tokensUsed !== undefined && { tokensUsed: about.tokensUsed }),
    timestamp: review.at,
  };
}

/** Seed 004's sentence, with one decimal so that 79.6 % never reads as the 80 % it missed (D004-46). */
function reasoningOf(review: Review, decision: ReviewDecision): string {
  const counts = (['critical', 'major', 'minor'] as const).map((severity) => [countOf(review.gaps, severity), severity] as const).filter(([count]) => count > 0);
  const parts = [`Quality: ${percent(review.scores.overall)}`, `Completeness: ${percent(review.scores.completeness)}`];
  if (counts.length > 0) parts.push(`Gaps: ${counts.map(([count, severity]) => `${count} ${severity}`).join(', ')}`);
  return [...parts, sentences[decision]].join(' | ');
}

function percent(value: number): string {
  return `${(Math.floor(value * 1000 + 1e-9) / 10).toFixed(1).replace(/\.0$/, '')}%`;
}
