import type {
  CheckResult,
  CriterionContext,
  CriterionFn,
  CriterionOptions,
  CriterionResult,
} from '../core/criterion.js';
import type { GapCategory } from '../core/gap.js';
import { checkRange, invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import type { Severity } from '../core/severity.js';
import { fromCriterion, resultOf } from './from-criterion.js';

/** What {@link criterion} gives: usable in `criteria: [...]` of a class and in `reviewers: [...]` of a pipeline. */
export interface Criterion<in Output, in Task> extends Reviewer<Task, Output> {
  name: string;
  description: string;
  severity: Severity;
  category: GapCategory;
  /** Judges in the place of `validate` where there is an engine, for criteria that make calls of their own. */
  readonly reviewer?: Reviewer<Task, Output> | undefined;
  /** The check alone, as seed 004 calls it. */
  readonly validate: (
    output: Output,
    request: Task,
    context: CriterionContext,
  ) => Promise<CriterionResult>;
}

/**
 * One check as a reviewer.
 *
 * @param id - Unique in a pipeline; part of every gap's identity.
 * @param check - Answers true, false, feedback (a text is a failure), or a whole result.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const hasTitle = criterion('has-title', (text: string) => text.startsWith('# ') || 'no title');
 * ```
 */
export function criterion<Output, Task = unknown>(
  id: string,
  check: CriterionFn<Output, Task>,
  options: CriterionOptions<Output> = {},
): Criterion<Output, Task> {
  if (typeof id !== 'string' || id.trim() === '')
    throw invalid('id', 'a text that is not empty', id);
  if (typeof check !== 'function') throw invalid(`the check of ${id}`, 'a function', check);
  const { severity = 'major', category = 'quality', description = id, name = id } = options;
  const { scope, ...rest } = options;
  const about = { id, name, description, severity, category };
  const reviewer = fromCriterion<Output, Task>({
    ...rest,
    ...about,
    scope: scope && (({ output }) => scope(output)),
    validate: check,
  });
  return {
    ...reviewer,
    ...about,
    validate: async (output, task, context) => resultOf(id, await check(output, task, context)),
  };
}

/** A score between 0 and 1, or `null` where the scorer could not tell. */
export interface ScorerResult {
  readonly score: number | null;
  readonly reason?: string | undefined;
}

/**
 * A criterion from a scorer of an evaluation library: passes from `min` on. `null` is skipped, never 0.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function fromScorer<Output, Task = unknown>(
  scorer: (input: { output: Output; task: Task }) => Promise<ScorerResult>,
  { id, min, version, ...options }: { id: string; min: number } & CriterionOptions<Output>,
): Criterion<Output, Task> {
  checkRange('min', min);
  const check: CriterionFn<Output, Task> = async (output, task): Promise<CheckResult> => {
    const { score, reason = '' } = await scorer({ output, task });
    if (score === null)
      return {
        passed: false,
        score: 0,
        details: reason,
        skipped: reason === '' ? 'the scorer gave no score' : reason,
      };
    return {
      passed: score >= min && score > 0,
      score,
      details: reason === '' ? `score ${score} of ${min} needed` : reason,
    };
  };
  const made = criterion(id, check, {
    tier: 'model',
    version: `scorer:${min}:${version ?? String(scorer)}`,
    ...options,
  });
  return version === undefined ? { ...made, reuse: 'run' } : made;
}

/** The entry of a criteria map: the check alone, or with what its failure means. */
export type CriteriaEntry<Output, Task> =
  | CriterionFn<Output, Task>
  | {
      check: CriterionFn<Output, Task>;
      severity?: Severity;
      category?: GapCategory;
      description?: string;
      /** The part of the output that the check reads; it receives that part. */
      scope?: (output: Output) => unknown;
      /** Change it when the rules change. Without one, no verdict is kept over runs. */
      version?: string;
      fix?: CriterionOptions<Output>['fix'];
    };

/** Criteria by id. */
export type CriteriaMap<Output, Task> = { readonly [id: string]: CriteriaEntry<Output, Task> };

/** The criteria of a map as reviewers. */
export function criteriaFrom<Output, Task>(
  map: CriteriaMap<Output, Task>,
): Criterion<Output, Task>[] {
  return Object.entries(map).map(([id, entry]) => {
    if (typeof entry === 'function') return criterion(id, entry);
    if (typeof entry !== 'object' || entry === null)
      throw invalid(`criteria.${id}`, 'a function or { check, ... }', entry);
    const { check, ...options } = entry;
    return criterion(id, check, options);
  });
}
