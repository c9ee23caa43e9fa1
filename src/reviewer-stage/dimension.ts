import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { LocationSchema } from '../core/gap.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { ReviewerContext } from '../core/reviewer.js';
import { GapSeveritySchema } from '../core/severity.js';
import type { CompletedWork } from './completed-work.js';
import { type QualityLevel, QualityLevelSchema } from './quality-level.js';

/** One thing that a dimension found; a bare text is its message (seed 003 has only those). */
export const DimensionIssueSchema = builtOnUse(() =>
  z.object({
    /** What is wrong, and where: specific enough to act on. */
    message: z.string().trim().min(1),
    location: LocationSchema.optional(),
    /** What to do about it. */
    suggestion: z.string().optional(),
    severity: GapSeveritySchema.optional(),
    /** A quote from the work. */
    evidence: z.string().optional(),
  }),
);
/** One thing that a dimension found. */
export type DimensionIssue = z.infer<typeof DimensionIssueSchema>;

/** How good the work is in one respect. */
export const DimensionResultSchema = builtOnUse(() =>
  z.object({
    level: QualityLevelSchema,
    explanation: z.string(),
    issues: z.array(z.union([DimensionIssueSchema, z.string().trim().min(1)])).readonly(),
  }),
);
/** How good the work is in one respect. */
export interface DimensionResult {
  readonly level: QualityLevel;
  readonly explanation: string;
  readonly issues: readonly (DimensionIssue | string)[];
}

/** How closely work is looked at: simple work quickly, complex work thoroughly. */
export type ReviewDepth = 'quick' | 'thorough';

/** What a dimension may use while it assesses. */
export interface AssessContext {
  readonly signal: AbortSignal;
  /** @default 'thorough' */
  readonly depth?: ReviewDepth | undefined;
  /** The model to ask, for a dimension that names none itself. */
  readonly provider?: LLMProvider | undefined;
  /** The engine's context, where the dimension is assessed in a run: for recorded steps, fences and budgets. */
  readonly review?: ReviewerContext | undefined;
}

/** One respect in which finished work is judged, as a whole (seed 003). */
export interface Dimension {
  /** In snake_case, unique in a stage. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** For narrow places. @default the name */
  readonly shortName?: string | undefined;
  /** Hash of prompt, model and rules. @default the id */
  readonly version?: string | undefined;
  /** Whether it records its calls itself, through `context.review`; else its assessment is recorded as a whole. @default false */
  readonly records?: boolean | undefined;
  /** Whether it asks a model and names none itself: then `context.provider` is there. @default false */
  readonly needsProvider?: boolean | undefined;
  /** Judges the work; a rejection is a failure of the judge, never a level. */
  readonly assess: (work: CompletedWork, context: AssessContext) => Promise<DimensionResult>;
}
