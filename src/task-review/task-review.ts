import * as z from 'zod';
import { checked } from '../core/checked.js';
import { isReviewError, messageOf } from '../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../core/event.js';
import type { HumanAnswer } from '../core/human.js';
import type { Outcome } from '../core/outcome.js';
import type { StepContext } from '../core/step.js';
import { onceAfter } from '../engine/after-run-step.js';
import { answerRun, overrideRun } from '../engine/answer-run.js';
import type { Definition } from '../engine/definition.js';
import type { RequestReference, VersionReference } from '../engine/human-answers.js';
import { type RunOptions, startRun } from '../engine/run-pipeline.js';
import { answerWith } from '../pipeline/answer-with.js';
import { defined } from '../pipeline/define-pipeline.js';
import type { HumanGate } from '../ports/human-gate.js';
import { truncateBytes } from '../text/truncate.js';
import { type AttemptStore, memoryAttempts } from './attempt-store.js';
import { CheckBoard } from './check-board.js';
import { codeReviewer } from './code-reviewer.js';
import { changeReader, type ReadChange } from './read-change.js';
import { type ReviewTask, ReviewTaskSchema } from './task.js';
import { taskChecks } from './task-checks.js';
import { taskPolicy } from './task-policy.js';
import { taskQuestionTexts } from './task-question-texts.js';
import { attemptsOf, resultOf, type TaskResult } from './task-result.js';
import { checkTaskReview, portsOf, type TaskReviewOptions } from './task-review-options.js';
import { mostRepairs, type TaskWork, TaskWorkSchema } from './task-work.js';

/** For whatever has no bound of its own; the calls of a review, the commands and git have one. */
const leafMs = 900_000;

/**
 * Seed 002: a task is done, then tests, lint, a review of the code and, where one is wanted, a person decide; what is let through is
 * committed. A fix goes back to who does the task, with the findings; every attempt is kept.
 *
 * @example
 * ```ts
 * const review = new TaskReview({ diff: gitDiff({ cwd }), tests: command({ id: 'tests', run: ['npm', 'test'], cwd }), provider, execute: doTask });
 * const { success, reviewStatus } = await review.run({ id: 'TASK-1', name: 'Add tea' });
 * ```
 */
export class TaskReview {
  readonly #options: TaskReviewOptions;
  readonly #definition: Definition<ReviewTask, TaskWork>;
  readonly #attempts: AttemptStore;
  readonly #board = new CheckBoard();
  readonly #readChange: ReadChange;

  /** @throws ReviewLoopError `invalid_options`, `provider_missing` */
  constructor(options: TaskReviewOptions) {
    checkTaskReview(options);
    this.#options = options;
    this.#attempts = options.attempts ?? memoryAttempts();
    const {
      diff,
      tests,
      lint,
      review = {},
      reviewPolicy = 'advisory',
      hitlReview = false,
      maxAttempts = 3,
      reviewErrorRetries = 1,
      executeTimeoutMs = 3_600_000,
    } = options;
    const { notify, expiresAfterMs } = options;
    this.#readChange = changeReader(
      diff,
      review === false ? {} : { maxBytes: review.diffBytes, redact: review.redact },
    );
    const parts = { readChange: this.#readChange, board: this.#board };
    this.#definition = defined<ReviewTask, TaskWork>({
      ...portsOf(options),
      name: 'task-review',
      output: TaskWorkSchema,
      reuse: false,
      retries: reviewErrorRetries,
      reviewers: [taskChecks({ tests, lint, ...parts }), codeReviewer({ review, ...parts })],
      policy: taskPolicy({ reviewPolicy, hitlReview, maxAttempts }),
      // the policy counts attempts; each may be mended a few times
      budget: { reviews: maxAttempts * (mostRepairs + 2) },
      timeouts: { produceMs: executeTimeoutMs, addressMs: executeTimeoutMs, checkMs: leafMs },
      human: {
        policy: 'auto',
        ...(notify && { notify }),
        ...(expiresAfterMs !== undefined && { expiresAfterMs }),
      },
      produce: (task, context) => this.#first(task, context),
      ...(options.execute && {
        address: (work, gaps, context) =>
          this.#next(
            work,
            context,
            context.note ??
              gaps
                .map(({ description, evidence = '' }) => `${description}\n${evidence}`.trim())
                .join('\n'),
          ),
      }),
    });
  }

  /** Calls back on events of every run. */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#definition.events.on(event, listener);
  }

  /**
   * Does the task and reviews it; goes on with what is recorded under `runId`.
   *
   * @throws ReviewLoopError For misuse only; every other end is a result.
   */
  async run(task: ReviewTask, options: RunOptions = {}): Promise<TaskResult> {
    const { runId = this.#definition.random.id() } = options;
    checkTask(task);
    return this.#resultOf(task, await startRun(this.#definition, task, { ...options, runId }));
  }

  /** Answers the question of a task that waits, and goes on with it. */
  async answer(
    task: ReviewTask,
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ): Promise<TaskResult> {
    checkTask(task);
    return this.#resultOf(task, await answerRun(this.#definition, request, answer, options));
  }

  /** Lets work through that was rejected or did not succeed, with who and why. */
  async override(
    task: ReviewTask,
    version: VersionReference,
    given: { readonly by: string; readonly reason: string },
    options?: RunOptions,
  ): Promise<TaskResult> {
    checkTask(task);
    return this.#resultOf(task, await overrideRun(this.#definition, version, given, options));
  }

  /** Asks a person about a task that waits, with seed 002's screen, until it has ended or there is no answer. */
  async ask(
    task: ReviewTask,
    waiting: TaskResult,
    gate: HumanGate,
    options: RunOptions = {},
  ): Promise<TaskResult> {
    checkTask(task);
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

  /** The first version: the task as it was done, or is done now. */
  async #first(task: ReviewTask, context: StepContext): Promise<TaskWork> {
    const { diff } = this.#options;
    const base = await context.step('base', { input: diff.id, schema: z.string() }, ({ signal }) =>
      diff.head({ signal }),
    );
    return this.#attempted(task, { base, attempt: 1, previousError: undefined }, context);
  }

  #next(
    work: TaskWork,
    context: StepContext & { readonly task: ReviewTask },
    error: string,
  ): Promise<TaskWork> {
    return this.#attempted(
      context.task,
      {
        base: work.change.base,
        attempt: work.attempt + 1,
        previousError: truncateBytes(error, 1024),
      },
      context,
    );
  }

  /** One attempt. That the task could not be done is a finding like any other, so that it can be tried again. */
  async #attempted(
    task: ReviewTask,
    {
      base,
      attempt,
      previousError,
    }: {
      readonly base: string;
      readonly attempt: number;
      readonly previousError: string | undefined;
    },
    context: StepContext,
  ): Promise<TaskWork> {
    let failure: string | undefined;
    try {
      const { signal, step, reportUsage, runId } = context;
      await this.#options.execute?.(task, {
        signal,
        step,
        reportUsage,
        runId,
        attempt,
        previousError,
      });
    } catch (error) {
      if (context.signal.aborted || (isReviewError(error) && error.code === 'cancelled'))
        throw error;
      failure = truncateBytes(messageOf(error), 1024);
    }
    const change = await this.#readChange('change', base, context);
    return {
      attempt,
      change,
      repairs: 0,
      ...(previousError !== undefined && { previousError }),
      ...(failure !== undefined && { failure }),
    };
  }

  async #resultOf(task: ReviewTask, run: Outcome<TaskWork>): Promise<TaskResult> {
    this.#board.forget(run.runId);
    const { earlier, last } = attemptsOf(task.id, run, this.#definition.clock.now());
    const problem = last.status === 'success' ? await this.#commit(task, run) : undefined;
    const ended =
      problem === undefined
        ? last
        : { ...last, status: 'failed' as const, error: problem, errorCode: 'COMMIT_FAILED' };
    for (const attempt of [...earlier, ended]) await this.#attempts.record(attempt);
    return resultOf(run, { earlier, last: ended });
  }

  /** Commits once; what went wrong, else nothing. */
  async #commit(
    task: ReviewTask,
    { runId, output }: Outcome<TaskWork>,
  ): Promise<string | undefined> {
    const { commit } = this.#options;
    if (commit === undefined || output === undefined) return undefined;
    const { store, clock } = this.#definition;
    try {
      await onceAfter(
        {
          store,
          clock,
          runId,
          name: 'task/commit',
          input: output.change.digest,
          schema: z.literal(true),
        },
        async () => {
          await commit(task, output, { key: `${runId}/${output.change.digest.slice(0, 16)}` });
          return true as const;
        },
      );
      return undefined;
    } catch (error) {
      return `the commit failed: ${messageOf(error)}${isReviewError(error) ? ` [${error.code}]` : ''}`;
    }
  }
}

/** @throws ReviewLoopError `task_invalid` */
function checkTask(task: ReviewTask): void {
  checked(ReviewTaskSchema, task, { code: 'task_invalid', what: 'task' });
}
