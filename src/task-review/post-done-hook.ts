import { checkPlain } from '../core/options.js';
import type { RunOptions } from '../engine/run-options.js';
import type { HumanGate } from '../ports/human-gate.js';
import type { TaskAttempt } from './attempt-store.js';
import type { ReviewTask } from './task.js';
import { TaskReview } from './task-review.js';
import type { TaskReviewOptions } from './task-review-options.js';

/** Options of {@link postDoneHook}. */
export interface PostDoneOptions extends TaskReviewOptions, Pick<RunOptions, 'runId' | 'signal'> {
  /** The person to ask. @default none: the task waits for an answer */
  readonly person?: HumanGate | undefined;
}

/**
 * Reviews a finished task with the interface of spec-runner's hook: tests, lint, review, the person
 * if `hitlReview` is true, then the commit. Without `execute`, a requested fix is returned as the
 * error `Fix requested. Review findings: ...`.
 *
 * @throws ReviewLoopError Only for misuse. All other ends are results.
 * @example
 * ```ts
 * const options = { diff: gitDiff({ cwd }), tests, lint, provider, commit };
 * const [success, error, reviewStatus, reviewFindings] = await postDoneHook(task, options);
 * ```
 */
export async function postDoneHook(
  task: ReviewTask,
  options: PostDoneOptions,
): Promise<
  [
    success: boolean,
    error: string | null,
    reviewStatus: TaskAttempt['reviewStatus'],
    reviewFindings: string | null,
  ]
> {
  checkPlain('postDoneHook', options);
  const { person, runId, signal, ...rest } = options;
  const review = new TaskReview(rest);
  const run: RunOptions = {
    ...(runId !== undefined && { runId }),
    ...(signal !== undefined && { signal }),
  };
  let result = await review.run(task, run);
  if (result.status === 'waiting' && person !== undefined)
    result = await review.ask(task, result, person, run);
  const error =
    result.code === 'FIX_REQUESTED'
      ? result.previousError
      : result.status === 'waiting'
        ? 'waiting for a person'
        : result.error;
  return [result.success, error, result.reviewStatus, result.reviewFindings];
}
