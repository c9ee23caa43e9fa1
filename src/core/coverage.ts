import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

/** One place of an artifact that speaks of a requirement. */
export const CoverageEvidenceSchema = builtOnUse(() =>
  z.object({
    file: z.string(),
    /** 1-based. */
    line: z.int().min(1),
    /** A quote from the artifact. */
    quote: z.string(),
    /** The share of the requirement's words that the place holds, from 0 to 1. */
    share: z.number().min(0).max(1),
    /** Why the place does not show that the requirement is fulfilled. */
    doubt: z.enum(['negated', 'planned', 'restated']).optional(),
  }),
);
/** One place of an artifact that speaks of a requirement. */
export type CoverageEvidence = z.infer<typeof CoverageEvidenceSchema>;

/** How one requirement of the task is covered by an output. */
export const RequirementCoverageSchema = builtOnUse(() =>
  z.object({
    requirement: z.string(),
    source: z.enum(['explicit', 'implicit', 'inferred']),
    covered: z.boolean(),
    coverageDetails: z.string(),
    evidenceLocation: z.string().optional(),
    /** From 0 to 1. */
    confidence: z.number().min(0).max(1),
    /** How probable it is that it is covered, where that was calibrated. */
    probability: z.number().min(0).max(1).optional(),
    /** `unsure` is not covered, and is what a judge with understanding may be asked. Left out, `covered` says it. */
    state: z.enum(['covered', 'uncovered', 'unsure']).optional(),
    /** The best place of each artifact that speaks of it, the best first. */
    evidence: z.array(CoverageEvidenceSchema).optional(),
  }),
);
/** How one requirement of the task is covered by an output. */
export type RequirementCoverage = z.infer<typeof RequirementCoverageSchema>;
/** Whether a requirement is covered; `unsure` where the evidence shows neither. */
export type CoverageState = NonNullable<RequirementCoverage['state']>;

/** The state of a coverage. What says of itself that it is not covered is never read as covered. */
export function coverageState({
  state,
  covered,
}: Pick<RequirementCoverage, 'state' | 'covered'>): CoverageState {
  if (covered) return state === undefined || state === 'covered' ? 'covered' : state;
  return state === 'unsure' ? 'unsure' : 'uncovered';
}
