import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { GapSeveritySchema, type Severity } from './severity.js';

/** What kind of thing is wrong. */
export const GapCategorySchema = builtOnUse(() =>
  z.enum(['missing', 'incorrect', 'incomplete', 'quality']),
);
/** What kind of thing is wrong: not there, wrong, only partly there, or poor. */
export type GapCategory = z.infer<typeof GapCategorySchema>;

/** How much work a fix is likely to be. */
export const EffortSchema = builtOnUse(() => z.enum(['trivial', 'small', 'medium', 'large']));
/** How much work a fix is likely to be. */
export type Effort = z.infer<typeof EffortSchema>;

/** A place in an artifact; lines are 1-based. */
export const LocationSchema = builtOnUse(() =>
  z.object({
    file: z.string(),
    line: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
  }),
);
/** A place in an artifact; lines are 1-based. */
export interface Location extends z.infer<typeof LocationSchema> {}

/**
 * One thing wrong with an output. `lifecycle` says whether it is new, persists, is fixed or came back; `standing` says
 * whether judges confirm or dispute it.
 */
export const GapSchema = builtOnUse(() =>
  z.object({
    id: z.string(),
    severity: GapSeveritySchema,
    category: GapCategorySchema,
    description: z.string(),
    suggestedFix: z.string(),
    estimatedEffort: EffortSchema,
    autoFixable: z.boolean().default(true),
    affectedRequirement: z.string().optional(),
    affectedArtifact: z.string().optional(),
    criterionId: z.string().optional(),
    /** The reviewer that raised it; only that reviewer can close it. */
    raisedBy: z.string().optional(),
    location: LocationSchema.optional(),
    /** A quote that occurs in the artifact. */
    evidence: z.string().optional(),
    lifecycle: z.enum(['new', 'persisting', 'fixed', 'regressed']).optional(),
    standing: z.enum(['unchecked', 'confirmed', 'disputed', 'waived']).optional(),
  }),
);
/** One thing wrong with an output. */
export interface Gap extends z.infer<typeof GapSchema> {
  location?: Location | undefined;
}

/** Returns whether a gap counts against an output. A disputed or waived gap is shown, but it neither blocks nor is fixed. */
export function isOpen(gap: Gap): boolean {
  return gap.standing !== 'disputed' && gap.standing !== 'waived';
}

/** Returns how many gaps have a severity. */
export function countOf(gaps: readonly Gap[], severity: Severity): number {
  return gaps.filter((gap) => gap.severity === severity).length;
}
