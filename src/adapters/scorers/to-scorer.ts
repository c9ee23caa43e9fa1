import { checkChoice, checkKeys, invalid } from '../../core/options.js';
import {
  type ReviewScore,
  reviewBy,
  reviewScore,
  type ScoredBy,
  type ScoreOf,
} from './review-score.js';

export interface ScoredCase<Input, Output, Expected = unknown> {
  readonly input: Input;
  readonly output: Output;
  readonly expected?: Expected | undefined;
  /** Aborts the review. @default undefined it is not aborted */
  readonly signal?: AbortSignal | undefined;
}

export interface ToScorerOptions {
  /** The name of the score. @default 'reviewloop' */
  readonly name?: string | undefined;
  /**
   * What the score is: `approval` is 1 for an approved output and 0 for a refused one; `overall` is the overall score
   * of the review, which may be high although a gap blocks.
   *
   * @default 'approval'
   */
  readonly score?: ScoreOf | undefined;
}

export interface TaskOfCase<Task, Input, Output, Expected> {
  /** Returns the task of the review. @default the `input` of the case */
  readonly task: (given: ScoredCase<Input, Output, Expected>) => Task;
}

/** A pipeline as a scorer: a function from a case to a score. */
export type ReviewScorer<Input, Output, Expected = unknown> = (
  given: ScoredCase<Input, Output, Expected>,
) => Promise<ReviewScore>;

/**
 * Creates a scorer from a pipeline, or from a list of criteria, in the form of autoevals: `{ name, score, metadata }`.
 * It reviews the output once. The score is `null` if nobody could tell: a judge failed, left the question open, or a
 * person has to decide.
 *
 * @throws ReviewLoopError `invalid_options`, and the codes of `definePipeline`
 * @example
 * ```ts
 * const scorer = toScorer(article, { name: 'article' });
 * const { score, metadata } = await scorer({ input: 'tea', output: '# Tea' });
 * ```
 */
export function toScorer<Task, Output, Input, Expected = unknown>(
  judge: ScoredBy<Task, Output>,
  options: ToScorerOptions & TaskOfCase<Task, Input, Output, Expected>,
): ReviewScorer<Input, Output, Expected>;
export function toScorer<Task, Output>(
  judge: ScoredBy<Task, Output>,
  options?: ToScorerOptions,
): ReviewScorer<Task, Output>;
export function toScorer<Task, Output>(
  judge: ScoredBy<Task, Output>,
  options: ToScorerOptions & Partial<TaskOfCase<Task, Task, Output, unknown>> = {},
): ReviewScorer<Task, Output> {
  checkKeys('toScorer', options, ['name', 'score', 'task']);
  const about = aboutScore(options);
  const { task = ({ input }) => input } = options;
  if (typeof task !== 'function') throw invalid('task', 'a function', task);
  const review = reviewBy(judge);
  return async (given) => {
    const { output, signal } = given;
    return reviewScore(await review(task(given), output, signal && { signal }), about);
  };
}

function aboutScore({ name = 'reviewloop', score = 'approval' }: ToScorerOptions): {
  readonly name: string;
  readonly score: ScoreOf;
} {
  if (typeof name !== 'string' || name.trim() === '')
    throw invalid('name', 'a non-empty string', name);
  checkChoice('score', score, ['approval', 'overall']);
  return { name, score };
}
