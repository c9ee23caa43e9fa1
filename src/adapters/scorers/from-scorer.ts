import type { Criterion } from '../../blocks/reviewers/criterion.js';
import { invalid } from '../../core/options.js';
import { scorerCriterion } from './scorer-criterion.js';
import {
  checkReading,
  checkScorerOptions,
  type FromScorerOptions,
  type ScorerArgs,
  type ScorerSubject,
  scorerArgs,
} from './scorer-options.js';

export interface FromScorerWithArgs<Task, Output, Args> extends FromScorerOptions {
  /** Returns what the scorer receives. @default { input, output, inputs, outputs } */
  readonly args: (subject: ScorerSubject<Task, Output>) => Args;
}

/**
 * Creates a criterion from a scorer of an evaluation library: autoevals, openevals, Mastra, or a function of your own.
 * It passes if the score is at least `threshold`; `true` passes and `false` fails. A list of results is one criterion
 * for each, with the id `<id>/<key>`. A scorer that throws, reports an error, or returns a score outside of 0 to 1 is
 * `errored`: never a failure, never 0. It runs as a check, with its slot, timeout and retries.
 *
 * A scorer calls its model itself. So its usage is unknown: no budget counts it, no cassette records it, and it stops
 * on abort only if `args` hands `signal` on.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const factual = fromScorer(Factuality, {
 *   id: 'factual',
 *   threshold: 0.6,
 *   version: 'autoevals-0.3/gpt-5-mini',
 *   args: ({ task, output }: ScorerSubject<Question, string>) => ({
 *     input: task.question,
 *     output,
 *     expected: task.answer,
 *   }),
 * });
 * ```
 */
export function fromScorer<Args, Task = unknown, Output = unknown>(
  scorer: Scorer<Args>,
  options: FromScorerWithArgs<Task, Output, Args>,
): Criterion<Output, Task>;
export function fromScorer<Task = unknown, Output = unknown>(
  scorer: Scorer<ScorerArgs<Task, Output>>,
  options: FromScorerOptions,
): Criterion<Output, Task>;
export function fromScorer<Task, Output>(
  scorer: Scorer<ScorerArgs<Task, Output>>,
  options: FromScorerOptions & Partial<FromScorerWithArgs<Task, Output, ScorerArgs<Task, Output>>>,
): Criterion<Output, Task> {
  checkScorerOptions('fromScorer', options, ['args', 'keys', 'unscored']);
  checkReading(options);
  const { id, args = scorerArgs } = options;
  if (typeof args !== 'function') throw invalid(`args of ${id}`, 'a function', args);
  const score = callOf(id, scorer);
  return scorerCriterion<Task, Output>(
    async (subject) => ({ answer: await score(args(subject)) }),
    options,
  );
}

function callOf<Args>(id: string, scorer: Scorer<Args>): ScorerFunction<Args> {
  if (typeof scorer === 'function') return scorer;
  if (typeof scorer === 'object' && scorer !== null && typeof scorer.run === 'function')
    return (args) => scorer.run(args);
  throw invalid(`the scorer of ${id}`, 'a function or an object with `run`', scorer);
}

/**
 * One result of a scorer: that of autoevals (`name`, `score`, `metadata.rationale`, `error`), of openevals (`key`,
 * `score`, `comment`) or of Mastra (`score`, `reason`, `notScorable`).
 */
export interface ScoredResult {
  /** From 0 to 1; true is 1, false is 0. `null` abstains. */
  readonly score?: number | boolean | null | undefined;
  /** Names the criterion in a list of results. @default `name` */
  readonly key?: string | undefined;
  /** Names the criterion in a list of results, if it has no `key`. */
  readonly name?: string | undefined;
  /** Why. */
  readonly comment?: string | undefined;
  /** Why, if there is no `comment`. */
  readonly reason?: unknown;
  /** `rationale` says why, if there is neither `comment` nor `reason`. */
  readonly metadata?: object | undefined;
  /** What went wrong; a result with an error is never a score. */
  readonly error?: unknown;
  /** The output contains nothing that this scorer judges. */
  readonly notScorable?: { readonly reason?: string | undefined } | undefined;
}

export type ScorerAnswer = number | boolean | null | ScoredResult | readonly ScoredResult[];

type ScorerFunction<Args> = (args: Args) => ScorerAnswer | PromiseLike<ScorerAnswer>;

export interface RunnableScorer<Args> {
  run(args: Args): ScorerAnswer | PromiseLike<ScorerAnswer>;
}

export type Scorer<Args> = ScorerFunction<Args> | RunnableScorer<Args>;
