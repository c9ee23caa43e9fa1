import * as z from 'zod';
import { answerWith } from '../../blocks/pipeline/answer-with.js';
import { isReviewError, messageOf } from '../../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import type { HumanAnswer } from '../../core/human.js';
import { checkPlain } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import { onceAfter } from '../../engine/after-run-step.js';
import { answerRun, overrideRun } from '../../engine/answer-run.js';
import type { Definition } from '../../engine/definition.js';
import type { RequestReference, VersionReference } from '../../engine/human-answers.js';
import type { RunOptions } from '../../engine/run-options.js';
import { startRun } from '../../engine/run-pipeline.js';
import { type AttemptStore, memoryAttempts, type TaskAttempt } from '../../ports/attempt-store.js';
import type { HumanGate } from '../../ports/human-gate.js';
import { answersOf } from './review-rounds.js';
import { parseTask, type ReviewTask, type TaskWork } from './task.js';
import { attemptsOf } from './task-attempts.js';
import { CheckOutputs } from './task-checks.js';
import { taskDefinition, taskQuestionTexts } from './task-definition.js';
import { resultOf, type TaskResult } from './task-result.js';
import { checkTaskReview, type TaskReviewOptions } from './task-review-options.js';

/**
 * Reviews a finished task. It runs `execute`, tests, linter and code review, asks a person if
 * `hitlReview` is true, and commits accepted work. A fix runs `execute` again with the findings.
 *
 * @example
 * ```ts
 * const tests = command({ id: 'tests', run: ['npm', 'test'], cwd });
 * const review = new TaskReview({ diff: gitDiff({ cwd }), tests, provider, execute: doTask });
 * const { success, reviewStatus } = await review.run({ id: 'TASK-1', name: 'Add tea' });
 * ```
 */
export class TaskReview {
  readonly #definition: Definition<ReviewTask, TaskWork>;
  readonly #attempts: AttemptStore;
  readonly #commit: TaskReviewOptions['commit'];
  readonly #checkOutputs = new CheckOutputs();

  /** @throws ReviewLoopError `invalid_options`, `provider_missing` */
  constructor(options: TaskReviewOptions) {
    checkTaskReview(options);
    this.#attempts = options.attempts ?? memoryAttempts();
    this.#commit = options.commit;
    this.#definition = taskDefinition(options, this.#checkOutputs);
  }

  /** Adds a listener for events of every run. */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#definition.events.on(event, listener);
  }

  /**
   * Does the task and reviews it. With the `runId` of a recorded run, it continues that run.
   *
   * @throws ReviewLoopError Only for misuse. All other ends are results.
   */
  async run(task: ReviewTask, options: RunOptions = {}): Promise<TaskResult> {
    const { runId = this.#definition.random.id() } = options;
    parseTask(task);
    return this.#resultOf(task, await startRun(this.#definition, task, { ...options, runId }));
  }

  /** Answers the question of a waiting task and continues the task. */
  async answer(
    task: ReviewTask,
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ): Promise<TaskResult> {
    parseTask(task);
    return this.#resultOf(task, await answerRun(this.#definition, request, answer, options));
  }

  /** Accepts rejected or failed work, with a name and a reason. */
  async override(
    task: ReviewTask,
    version: VersionReference,
    given: { readonly by: string; readonly reason: string },
    options?: RunOptions,
  ): Promise<TaskResult> {
    parseTask(task);
    return this.#resultOf(task, await overrideRun(this.#definition, version, given, options));
  }

  /**
   * Asks a person about a waiting task until the task ends, or until the person does not answer.
   */
  async ask(
    task: ReviewTask,
    waiting: TaskResult,
    gate: HumanGate,
    options: RunOptions = {},
  ): Promise<TaskResult> {
    parseTask(task);
    let current = waiting.run;
    const pipeline = {
      answer: async (
        request: RequestReference,
        answer: HumanAnswer,
        given?: RunOptions,
      ): Promise<Outcome<TaskWork>> => {
        current = await answerRun(this.#definition, request, answer, given);
        return current;
      },
    };
    const { store, signal } = options;
    const texts = () => taskQuestionTexts(task, current.review, current.output);
    return this.#resultOf(
      task,
      await answerWith(pipeline, waiting.run, gate, {
        ...(store && { store }),
        ...(signal && { signal }),
        texts,
      }),
    );
  }

  async #resultOf(task: ReviewTask, run: Outcome<TaskWork>): Promise<TaskResult> {
    const { store, clock } = this.#definition;
    this.#checkOutputs.forget(run.runId);
    const { earlier, last } = attemptsOf(task.id, run, {
      now: clock.now(),
      answers: await answersOf(store, run.runId),
    });
    const problem = last.status === 'success' ? await this.#commitOnce(task, run) : undefined;
    const recorded =
      problem === undefined
        ? last
        : { ...last, status: 'failed' as const, error: problem, errorCode: 'COMMIT_FAILED' };
    for (const attempt of [...earlier, recorded]) await this.#attempts.record(attempt);
    return resultOf(run, { earlier, last: recorded });
  }

  /** Commits once for each run. Returns the error, if any. */
  async #commitOnce(
    task: ReviewTask,
    { runId, output }: Outcome<TaskWork>,
  ): Promise<string | undefined> {
    const commit = this.#commit;
    if (commit === undefined || output === undefined) return undefined;
    const { store, clock } = this.#definition;
    const input = output.change.digest;
    try {
      await onceAfter(
        { store, clock, runId, name: 'task/commit', input, schema: z.literal(true) },
        async () => {
          await commit(task, output, { key: `${runId}/${input.slice(0, 16)}` });
          return true as const;
        },
      );
      return undefined;
    } catch (error) {
      return `the commit failed: ${messageOf(error)}${isReviewError(error) ? ` [${error.code}]` : ''}`;
    }
  }
}

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
