import * as z from 'zod';

/** How one requirement of the task is covered by an output (seed 004). */
export const RequirementCoverageSchema = z.object({
  requirement: z.string(),
  source: z.enum(['explicit', 'implicit', 'inferred']),
  covered: z.boolean(),
  coverageDetails: z.string(),
  evidenceLocation: z.string().optional(),
  /** From 0 to 1. */
  confidence: z.number().min(0).max(1),
});
/** How one requirement of the task is covered by an output. */
export type RequirementCoverage = z.infer<typeof RequirementCoverageSchema>;
