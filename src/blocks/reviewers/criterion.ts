import type {
  CriterionContext,
  CriterionFn,
  CriterionOptions,
  CriterionResult,
  DecideRequirement,
  ScopedOptions,
  UnscopedOptions,
} from '../../core/criterion.js';
import {
  type GapCategory,
  GapCategorySchema,
  GapSeveritySchema,
  type Severity,
} from '../../core/gap.js';
import { call, checkChoice, checkKeys, checkPlain, invalid } from '../../core/options.js';
import { type Reviewer, tiers } from '../../core/reviewer.js';
import { fromCriterion } from './from-criterion.js';

/** One check, for `criteria` of an agent class and for `reviewers` of a pipeline. */
export interface Criterion<in Output, in Task> extends Reviewer<Task, Output> {
  /** The name in descriptions of gaps. */
  name: string;
  /** What the criterion demands. */
  description: string;
  /** The severity of its gaps. */
  severity: Severity;
  /** The category of its gaps. */
  category: GapCategory;
  /** Replaces `validate` in a pipeline, for criteria that make their own calls. */
  readonly reviewer?: Reviewer<Task, Output> | undefined;
  /** Decides requirements of the task, for `deciders` of `requirementCoverage`. */
  readonly decides?: DecideRequirement<Output> | undefined;
  /** Runs the check alone, without a pipeline. */
  readonly validate: (
    output: Output,
    request: Task,
    context: CriterionContext,
  ) => Promise<CriterionResult>;
}

/**
 * Creates a criterion from one check.
 *
 * @param id - Unique in a pipeline; part of every gap's identity.
 * @param check - Returns true, false, a string (it fails with that reason), or a whole result.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const hasTitle = criterion('has-title', (text: string) => text.startsWith('# ') || 'no title');
 * const hasRows = criterion('has-rows', (rows) => rows.length > 0, {
 *   scope: (page: { rows: string[] }) => page.rows,
 * });
 * ```
 */
export function criterion<Output, Task = unknown>(
  id: string,
  check: CriterionFn<Output, Task>,
  options?: UnscopedOptions<Output>,
): Criterion<Output, Task>;
export function criterion<Output, Part, Task = unknown>(
  id: string,
  check: CriterionFn<Part, Task>,
  options: ScopedOptions<Output, Part>,
): Criterion<Output, Task>;
export function criterion<Output, Task>(
  id: string,
  check: CriterionFn<Output, Task>,
  options: CriterionOptions<Output> = {},
): Criterion<Output, Task> {
  return criterionOf(id, check, options);
}

/** Like {@link criterion}, for options whose scope may select anything. */
export function criterionOf<Output, Task>(
  id: string,
  check: CriterionFn<Output, Task>,
  options: CriterionOptions<Output>,
): Criterion<Output, Task> {
  if (typeof id !== 'string' || id.trim() === '') throw invalid('id', 'a non-empty string', id);
  call(`the check of ${id}`, check);
  checkCriterionOptions(id, options);
  const { severity = 'major', category = 'quality', description = id, name = id } = options;
  const { scope, decides, ...rest } = options;
  const about = { id, name, description, severity, category };
  const reviewer = fromCriterion<Output, Task>({
    ...rest,
    ...about,
    decides,
    scope: scope && (({ output }) => scope(output)),
    validate: check,
  });
  return {
    ...reviewer,
    ...about,
    ...(decides !== undefined && { decides }),
    validate: async (output, task, context) => {
      const { resultOf } = await import('./criterion-error.js');
      return resultOf(id, await check(output, task, context));
    },
  };
}

const optionNames: readonly (keyof CriterionOptions<unknown>)[] = [
  'name',
  'description',
  'version',
  'severity',
  'category',
  'tier',
  'scope',
  'fix',
  'decides',
];

function checkCriterionOptions<Output>(id: string, options: CriterionOptions<Output>): void {
  checkKeys(`criterion ${id}`, options, optionNames);
  const { severity, category, tier, decides } = options;
  checkChoice(`severity of ${id}`, severity, GapSeveritySchema.options);
  checkChoice(`category of ${id}`, category, GapCategorySchema.options);
  checkChoice(`tier of ${id}`, tier, tiers);
  if (decides !== undefined) call(`decides of ${id}`, decides);
}

/** An entry of a criteria map: a check, or a check with the meaning of its failure. */
export type CriteriaEntry<Output, Task> =
  | CriterionFn<Output, Task>
  | {
      /** Returns true, false, a string (it fails with that reason), or a whole result. */
      check: CriterionFn<Output, Task>;
      /** The severity of its gaps. @default 'major' */
      severity?: Severity;
      /** The category of its gaps. @default 'quality' */
      category?: GapCategory;
      /** What the criterion demands; the suggested fix of its gaps. @default the id */
      description?: string;
      /**
       * Selects what the check receives. A part of another type needs `criterion`.
       *
       * @default the whole output
       */
      scope?: (output: Output) => Output;
      /** Change it when the rules change. Without it, verdicts are reused within a run only. */
      version?: string;
      /** Fixes a gap of the criterion without guessing; returns the whole output. */
      fix?: CriterionOptions<Output>['fix'];
      /** Decides requirements of the task, for `deciders` of `requirementCoverage`. */
      decides?: CriterionOptions<Output>['decides'];
    };

/** Criteria by id. */
export type CriteriaMap<Output, Task> = { readonly [id: string]: CriteriaEntry<Output, Task> };

export function criteriaFrom<Output, Task>(
  map: CriteriaMap<Output, Task>,
): Criterion<Output, Task>[] {
  checkPlain('criteria', map);
  return Object.entries(map).map(([id, entry]) => {
    if (typeof entry === 'function') return criterion(id, entry);
    if (typeof entry !== 'object' || entry === null)
      throw invalid(`criteria.${id}`, 'a function or { check, ... }', entry);
    checkPlain(`criteria.${id}`, entry);
    const { check, ...options } = entry;
    return criterion(id, check, options);
  });
}
