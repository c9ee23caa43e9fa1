import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import type { CoverageEvidence } from './coverage.js';
import {
  type Effort,
  EffortSchema,
  type Gap,
  type GapCategory,
  GapCategorySchema,
  GapSeveritySchema,
  type Severity,
} from './gap.js';
import { type Grade, GradeSchema } from './grade.js';
import type { Review } from './review.js';
import type { FixContext, Reviewer } from './reviewer.js';
import { withinRange } from './score-text.js';

/** One place where a criterion is not met. Each finding becomes one gap. */
export const FindingSchema = builtOnUse(() =>
  z.object({
    /** What is wrong. */
    description: z.string().min(1),
    /** The path of the artifact. */
    file: z.string().optional(),
    /** The first line, 1-based. */
    line: z.int().min(1).optional(),
    /** The last line, 1-based. */
    endLine: z.int().min(1).optional(),
    /** A quote that occurs in the artifact. */
    evidence: z.string().optional(),
    /** How to fix it. @default the `suggestedFix` of the result */
    suggestedFix: z.string().optional(),
    /** A picture of the place, as a `data:` address. @default none */
    picture: z.string().optional(),
    /** @default the severity of the criterion */
    severity: GapSeveritySchema.optional(),
    /** @default the category of the criterion */
    category: GapCategorySchema.optional(),
    /** Whether the producer may be asked to fix it. @default true */
    autoFixable: z.boolean().optional(),
  }),
);
/** One place where a criterion is not met. */
export interface Finding extends z.infer<typeof FindingSchema> {}

/** What one criterion found. `findings` lists the places. */
export const CriterionResultSchema = builtOnUse(() =>
  z.object({
    /** Whether the criterion is met. A passed criterion scores above 0. */
    passed: z.boolean(),
    score: z.number().overwrite(withinRange).min(0).max(1),
    /** What was found, for people. */
    details: z.string(),
    /** How to fix it. @default the description of the criterion */
    suggestedFix: z.string().optional(),
    /** How much work the fix is. @default 'medium' */
    estimatedEffort: EffortSchema.optional(),
    findings: z.array(FindingSchema).optional(),
    /** The grade that decided. */
    grade: GradeSchema.optional(),
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
  grade?: Grade | undefined;
}

/**
 * The result of a check: `true`, `false`, a text that says what is wrong, or the full result. `''`
 * and `undefined` are errors.
 */
export type CheckResult = boolean | string | CriterionResult;

/** What a criterion receives besides the output and the task. */
export interface CriterionContext {
  /**
   * The finished reviews of this run, oldest first. Empty for a criterion with a `scope`, because
   * its verdict may be reused.
   */
  readonly previous: readonly Review[];
  /** The configuration of the project, in a self-review. */
  readonly projectConfig?: Record<string, unknown> | undefined;
  /** The design tokens of the project, in a self-review. */
  readonly designTokens?: Record<string, unknown> | undefined;
  /** The acceptance criteria of the task, in a self-review. */
  readonly acceptanceCriteria?: string[] | undefined;
  /** Aborted when the check times out or the run ends. */
  readonly signal?: AbortSignal | undefined;
}

export interface RequirementDecision {
  readonly satisfied: boolean;
  /** Why, for people. */
  readonly explanation: string;
  /** The places that show it. */
  readonly evidence?: readonly CoverageEvidence[] | undefined;
  /** The files that lack what is asked for, if no line can show it. */
  readonly files?: readonly string[] | undefined;
  /** The criterion whose gaps report such a violation. @default the check that decided */
  readonly reportedBy?: string | undefined;
}

/**
 * Decides a requirement of the task. Returns undefined if the requirement is about something else,
 * or if any part of it is not understood: a wrong decision is worse than none.
 */
export type DecideRequirement<Output> = (
  requirement: string,
  output: Output,
  context: CriterionContext,
) => RequirementDecision | undefined | Promise<RequirementDecision | undefined>;

/** A check that can decide requirements of the task; a criterion with `decides` is one. */
export interface RequirementDecider<Output> {
  /** Shown as who decided. */
  readonly id: string;
  readonly version: string;
  readonly decides: DecideRequirement<Output>;
}

/** A check as a plain function. */
export type CriterionFn<Output, Task> = (
  output: Output,
  task: Task,
  context: CriterionContext,
) => CheckResult | Promise<CheckResult>;

/** Options of a criterion: its description, and what its failure means. */
export interface CriterionOptions<Output> {
  /** How bad a failure is. @default 'major' */
  readonly severity?: Severity | undefined;
  /** The kind of problem that a failure is. @default 'quality' */
  readonly category?: GapCategory | undefined;
  /**
   * What the criterion demands. It is also the suggested fix if the check gives none.
   *
   * @default the id
   */
  readonly description?: string | undefined;
  /** Short name for people. @default the id */
  readonly name?: string | undefined;
  /**
   * The version of the rules. Change it when the prompt, the model or a called function changes.
   * Verdicts of other versions are not reused. Without a version, verdicts are not cached across
   * runs.
   *
   * @default a hash of the function's text
   */
  readonly version?: string | undefined;
  /** Selects the part of the output that the check receives. @default the whole output */
  readonly scope?: ((output: Output) => unknown) | undefined;
  /** Repairs one gap without guessing, and returns the whole output. @default no fixer */
  readonly fix?:
    | ((output: Output, gap: Gap, context: FixContext) => Output | Promise<Output>)
    | undefined;
  /**
   * Decides requirements of the task, for `deciders` of `requirementCoverage`.
   *
   * @default undefined it decides none
   */
  readonly decides?: DecideRequirement<Output> | undefined;
  /** The group that the check is asked in: `code`, then `model`, then `confirm`. @default 'code' */
  readonly tier?: Reviewer<unknown, unknown>['tier'] | undefined;
}

export interface ScopedOptions<Output, Part> extends CriterionOptions<Output> {
  readonly scope: (output: Output) => Part;
}

/** Options of a criterion whose check receives the output, or a part of the same type. */
export interface UnscopedOptions<Output> extends CriterionOptions<Output> {
  readonly scope?: ((output: Output) => Output) | undefined;
}

export const defaultEffort: Effort = 'medium';

/** The long form of any documented answer; the schema refuses all others afterwards. */
export function longAnswer(answer: CheckResult): CriterionResult {
  if (answer === true) return { passed: true, score: 1, details: '' };
  if (answer === false) return { passed: false, score: 0, details: '' };
  if (typeof answer === 'string' && answer.trim() !== '')
    return { passed: false, score: 0, details: answer };
  return answer as CriterionResult;
}
