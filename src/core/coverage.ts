import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

export const CoverageEvidenceSchema = builtOnUse(() =>
  z.object({
    /** The path of the artifact. */
    file: z.string(),
    /** The line, 1-based. */
    line: z.int().min(1),
    /** A quote from the artifact. */
    quote: z.string(),
    /** The share of the requirement's words that the place contains, from 0 to 1. */
    share: z.number().min(0).max(1),
    /** Why the place does not show that the requirement is fulfilled. */
    doubt: z.enum(['negated', 'planned', 'restated']).optional(),
  }),
);
/** One place in an artifact that mentions a requirement. */
export interface CoverageEvidence extends z.infer<typeof CoverageEvidenceSchema> {}

/** How one requirement of the task is covered by an output. */
export const RequirementCoverageSchema = builtOnUse(() =>
  z.object({
    /** The text of the requirement. */
    requirement: z.string(),
    /** Whether the task states the requirement, implies it, or a model inferred it. */
    source: z.enum(['explicit', 'implicit', 'inferred']),
    /** Whether the output covers the requirement. */
    covered: z.boolean(),
    /** Why, for people. */
    coverageDetails: z.string(),
    /** The best place, for people. */
    evidenceLocation: z.string().optional(),
    /** How certain the result is, from 0 to 1. */
    confidence: z.number().min(0).max(1),
    /** The probability that the requirement is covered, from 0 to 1, if it was calibrated. */
    probability: z.number().min(0).max(1).optional(),
    /** Who decided: the id of a check, a model, or a person. @default the function that matched it */
    decidedBy: z.string().optional(),
    /** `unsure` counts as not covered, and a model may decide it. @default `covered` decides */
    state: z.enum(['covered', 'uncovered', 'unsure']).optional(),
    /** The best place in each artifact that mentions the requirement, best first. */
    evidence: z.array(CoverageEvidenceSchema).optional(),
    /** The files that lack what the requirement asks for, if no line can show it. */
    files: z.array(z.string()).optional(),
    /** The criterion whose gaps report the violation. @default `decidedBy` */
    reportedBy: z.string().optional(),
  }),
);
/** How one requirement of the task is covered by an output. */
export interface RequirementCoverage extends z.infer<typeof RequirementCoverageSchema> {
  /** The best place in each artifact that mentions the requirement, best first. */
  evidence?: CoverageEvidence[] | undefined;
  /** The files that lack what the requirement asks for, if no line can show it. */
  files?: string[] | undefined;
}
/** Whether a requirement is covered; `unsure` if the evidence shows neither. */
export type CoverageState = NonNullable<RequirementCoverage['state']>;

/** Never `covered` while `covered` is false. */
export function coverageState({
  state,
  covered,
}: Pick<RequirementCoverage, 'state' | 'covered'>): CoverageState {
  if (covered) return state === undefined || state === 'covered' ? 'covered' : state;
  return state === 'unsure' ? 'unsure' : 'uncovered';
}
