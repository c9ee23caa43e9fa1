import type { CriterionOptions } from '../../core/criterion.js';
import { GapCategorySchema, GapSeveritySchema } from '../../core/gap.js';
import { checkChoice, checkKeys, checkList, invalid } from '../../core/options.js';
import { tiers } from '../../core/reviewer.js';

export interface ScorerOptions
  extends Pick<
    CriterionOptions<unknown>,
    'severity' | 'category' | 'description' | 'name' | 'tier'
  > {
  /** Unique in a pipeline; part of every gap's identity. */
  readonly id: string;
  /** The lowest score that passes: above 0, at most 1. */
  readonly threshold: number;
  /**
   * Names the model, the prompt and the package of the scorer, which it does not tell itself. Change it when one of
   * them changes, or what it receives: verdicts of other versions are not reused.
   */
  readonly version: string;
  /** The group that it is asked in: `code`, then `model`, then `confirm`. @default 'model' */
  readonly tier?: CriterionOptions<unknown>['tier'];
}

export interface FromScorerOptions extends ScorerOptions {
  /**
   * The keys of a scorer that returns a list. An answer without one of them, or with another one, is an error.
   *
   * @default undefined whatever the list contains counts
   */
  readonly keys?: readonly string[] | undefined;
  /**
   * What an answer without a score is. `undecided` prevents approval, `skipped` does not.
   *
   * @default 'undecided' for a score of null, 'skipped' for `notScorable`
   */
  readonly unscored?: 'undecided' | 'skipped' | undefined;
}

const optionNames = [
  'id',
  'threshold',
  'version',
  'severity',
  'category',
  'description',
  'name',
  'tier',
];

export function checkScorerOptions(
  factory: string,
  options: ScorerOptions,
  more: readonly string[],
): void {
  checkKeys(factory, options, [...optionNames, ...more]);
  const { id, threshold, version, severity, category, tier } = options;
  if (typeof id !== 'string' || id.trim() === '') throw invalid('id', 'a non-empty string', id);
  if (typeof threshold !== 'number' || !(threshold > 0 && threshold <= 1))
    throw invalid(`threshold of ${id}`, 'a number above 0, at most 1', threshold);
  if (typeof version !== 'string' || version.trim() === '')
    throw invalid(`version of ${id}`, 'a text that names its model and prompt', version);
  for (const name of ['description', 'name'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'string')
      throw invalid(`${name} of ${id}`, 'a text', options[name]);
  checkChoice(`severity of ${id}`, severity, GapSeveritySchema.options);
  checkChoice(`category of ${id}`, category, GapCategorySchema.options);
  checkChoice(`tier of ${id}`, tier, tiers);
}

export function checkReading({ id, keys, unscored }: FromScorerOptions): void {
  checkChoice(`unscored of ${id}`, unscored, ['undecided', 'skipped']);
  if (keys === undefined) return;
  checkList(`keys of ${id}`, keys);
  const usable = keys.every((key) => typeof key === 'string' && key.trim() !== '');
  if (keys.length === 0 || !usable || new Set(keys).size < keys.length)
    throw invalid(`keys of ${id}`, 'different non-empty texts', keys);
}

/** What a scorer judges. */
export interface ScorerSubject<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  /** Aborted when the scorer times out or the run ends. Pass it on where the scorer takes a signal. */
  readonly signal: AbortSignal;
}

/** What a scorer receives without `args`: the names of autoevals and Mastra, and those of openevals. */
export type ScorerArgs<Task, Output> = {
  readonly input: Task;
  readonly output: Output;
  readonly inputs: Task;
  readonly outputs: Output;
};

export function scorerArgs<Task, Output>({
  task,
  output,
}: ScorerSubject<Task, Output>): ScorerArgs<Task, Output> {
  return { input: task, output, inputs: task, outputs: output };
}
