import { checkList, invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { definePipeline } from '../pipeline/define-pipeline.js';
import type { Pipeline } from '../pipeline/pipeline-options.js';

/** What scores an output: a pipeline, or a list of criteria and other reviewers. */
export type ScoredBy<Task, Output> =
  | Pick<Pipeline<Task, Output>, 'review' | 'run'>
  | readonly Reviewer<Task, Output>[];

/** How a pipeline reviews an existing output once. */
export type ReviewOf<Task, Output> = Pipeline<Task, Output>['review'];

/**
 * Returns the review of a pipeline, or of one with these reviewers.
 *
 * @throws ReviewLoopError `invalid_options`, and the codes of `definePipeline`
 */
export function reviewBy<Task, Output>(judge: ScoredBy<Task, Output>): ReviewOf<Task, Output> {
  if (isList(judge)) {
    checkList('reviewers', judge);
    return definePipeline<Task, Output>({ reviewers: judge }).review;
  }
  if (typeof judge?.review !== 'function' || typeof judge.run !== 'function')
    throw invalid('the judge', 'a pipeline or a list of criteria', judge);
  return judge.review;
}

function isList<Task, Output>(
  judge: ScoredBy<Task, Output>,
): judge is readonly Reviewer<Task, Output>[] {
  return Array.isArray(judge);
}
