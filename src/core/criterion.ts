import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { type Effort, EffortSchema, type Gap, type GapCategory, GapCategorySchema } from './gap.js';
import type { Review } from './review.js';
import type { FixContext, Reviewer } from './reviewer.js';
import { GapSeveritySchema, type Severity } from './severity.js';

/** One place where a criterion is not met; every finding becomes a gap of its own. */
export const FindingSchema = builtOnUse(() =>
  z.object({
    description: z.string().min(1),
    /** The artifact's path. */
    file: z.string().optional(),
    /** 1-based. */
    line: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
    /** A quote that occurs in the artifact. */
    evidence: z.string().optional(),
    suggestedFix: z.string().optional(),
    /** @default the criterion's */
    severity: GapSeveritySchema.optional(),
    /** @default the criterion's */
    category: GapCategorySchema.optional(),
    /** Whether it makes sense to ask the producer to fix it. */
    autoFixable: z.boolean().optional(),
  }),
);
/** One place where a criterion is not met. */
export interface Finding extends z.infer<typeof FindingSchema> {}

/** What one criterion found, with the single places in `findings`. */
export const CriterionResultSchema = builtOnUse(() =>
  z.object({
    passed: z.boolean(),
    /** From 0 to 1. */
    score: z.number().min(0).max(1),
    details: z.string(),
    suggestedFix: z.string().optional(),
    estimatedEffort: EffortSchema.optional(),
    findings: z.array(FindingSchema).optional(),
    /** Why the criterion does not apply; then it has neither passed nor failed. */
    skipped: z.string().min(1).optional(),
    /** Why the check could not tell; then it has neither passed nor failed, and nothing is approved. */
    undecided: z.string().min(1).optional(),
    /** Who could decide: `model`, `person`, or the id of a check. @default ['person'] */
    decidableBy: z.array(z.string().min(1)).optional(),
  }),
);
/** What one criterion found. */
export interface CriterionResult extends z.infer<typeof CriterionResultSchema> {
  findings?: Finding[] | undefined;
}

/** `true`, `false`, feedback, or the whole result. `''` and `undefined` are errors. */
export type CheckResult = boolean | string | CriterionResult;

/** What a criterion receives beside output and task. */
export interface CriterionContext {
  /** The finished reviews of this run, the oldest first; empty for a criterion with a `scope`, whose verdict may be reused. */
  readonly previous: readonly Review[];
  readonly projectConfig?: Record<string, unknown> | undefined;
  readonly designTokens?: Record<string, unknown> | undefined;
  readonly acceptanceCriteria?: string[] | undefined;
  /** Aborted when the check times out or the run ends. */
  readonly signal?: AbortSignal | undefined;
}

/** A check as a plain function. */
export type CriterionFn<Output, Task> = (
  output: Output,
  task: Task,
  context: CriterionContext,
) => CheckResult | Promise<CheckResult>;

/** How a criterion is described, and what its failure means. */
export interface CriterionOptions<Output> {
  /** @default 'major' */
  readonly severity?: Severity | undefined;
  /** @default 'quality' */
  readonly category?: GapCategory | undefined;
  /** What the criterion demands; also the suggested fix when the check gives none. @default the id */
  readonly description?: string | undefined;
  /** Short name for people. @default the id */
  readonly name?: string | undefined;
  /**
   * Change it when the rules change: prompt, model, whatever the function calls. Verdicts of another version are not reused. Without a version, no verdict is cached over runs.
   *
   * @default a hash of the function's text
   */
  readonly version?: string | undefined;
  /** The part of the output that the check reads; it receives that part. @default everything */
  readonly scope?: ((output: Output) => unknown) | undefined;
  /** Repairs one gap without guessing; returns the whole output. */
  readonly fix?:
    | ((output: Output, gap: Gap, context: FixContext) => Output | Promise<Output>)
    | undefined;
  /** @default 'code' */
  readonly tier?: Reviewer<unknown, unknown>['tier'] | undefined;
}

/** How much work a criterion's failure is when it does not say. */
export const defaultEffort: Effort = 'medium';
