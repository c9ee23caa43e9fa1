import { invalid } from '../core/options.js';
import type { Criterion } from '../reviewers/criterion.js';
import type { Scorer, ScorerFunction } from './scored-result.js';
import { scorerCriterion } from './scorer-criterion.js';
import { checkReading, checkScorerOptions, type FromScorerOptions } from './scorer-options.js';
import { type ScorerArgs, type ScorerSubject, scorerArgs } from './scorer-subject.js';

/** Options of {@link fromScorer} for a scorer that receives other arguments than the usual ones. */
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

/** Returns the call of a scorer. @throws ReviewLoopError `invalid_options` */
function callOf<Args>(id: string, scorer: Scorer<Args>): ScorerFunction<Args> {
  if (typeof scorer === 'function') return scorer;
  if (typeof scorer === 'object' && scorer !== null && typeof scorer.run === 'function')
    return (args) => scorer.run(args);
  throw invalid(`the scorer of ${id}`, 'a function or an object with `run`', scorer);
}
