import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { GapSeveritySchema, LocationSchema } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import type { CompletedWork } from './completed-work.js';
import { type QualityLevel, QualityLevelSchema } from './quality-level.js';

const DimensionIssueSchema = builtOnUse(() =>
  z.object({
    /** The problem and its place, specific enough to act on. */
    message: z.string().trim().min(1),
    location: LocationSchema.optional(),
    /** The fix. */
    suggestion: z.string().optional(),
    /** The severity. @default 'minor' if the dimension passes, else 'major' */
    severity: GapSeveritySchema.optional(),
    /** A quote from the work. */
    evidence: z.string().optional(),
  }),
);
/** A problem that a dimension found. */
export interface DimensionIssue extends z.infer<typeof DimensionIssueSchema> {}

/** An issue can be a text, which is then its message. */
export const DimensionResultSchema = builtOnUse(() =>
  z.object({
    level: QualityLevelSchema,
    explanation: z.string(),
    issues: z.array(z.union([DimensionIssueSchema, z.string().trim().min(1)])).readonly(),
  }),
);
/** The result of one dimension. */
export interface DimensionResult {
  readonly level: QualityLevel;
  readonly explanation: string;
  /** The issues. A text is the message of an issue. */
  readonly issues: readonly (DimensionIssue | string)[];
}

/**
 * The depth of a review. A `quick` review of simple work asks fewer questions than a `thorough`
 * one.
 */
export type ReviewDepth = 'quick' | 'thorough';

/** The context of one assessment. */
export interface AssessContext {
  readonly signal: AbortSignal;
  /** The depth of the review. @default 'thorough' */
  readonly depth?: ReviewDepth | undefined;
  /** The inherited model, for a dimension without its own provider. */
  readonly provider?: LLMProvider | undefined;
  /** The engine's context inside a run, for recorded steps, fences and budgets. */
  readonly review?: ReviewerContext | undefined;
}

/** A quality dimension of finished work, such as safety or completeness. */
export interface Dimension {
  /** The id, in snake_case and unique in a stage. */
  readonly id: string;
  /** The name that people see. */
  readonly name: string;
  /** The name in tables and other narrow places. @default the name */
  readonly shortName?: string | undefined;
  /** A hash of prompt, model and rules. @default the id */
  readonly version?: string | undefined;
  /**
   * Whether the dimension records its own calls through `context.review`. Otherwise the engine
   * records the whole assessment.
   *
   * @default false
   */
  readonly records?: boolean | undefined;
  /** Whether the dimension asks the model in `context.provider`. @default false */
  readonly needsProvider?: boolean | undefined;
  /** Judges the work. A rejected promise is a failure of the judge, never a level. */
  readonly assess: (work: CompletedWork, context: AssessContext) => Promise<DimensionResult>;
}
