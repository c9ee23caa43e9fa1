import type { HonestWorkOptions } from '../../blocks/criteria/diff/honest-work.js';
import type { PipelineOptions } from '../../blocks/pipeline/pipeline-options.js';
import type { DiffSource } from '../../core/diff/diff-source.js';
import {
  call,
  checkPositive,
  checkTable,
  elsewhere,
  fits,
  flag,
  givenOf,
  invalid,
  isCallable,
  like,
  nested,
  type OptionCheck,
  type OptionTable,
  oneOf,
  required,
  whole,
} from '../../core/options.js';
import type { StepContext } from '../../core/step.js';
import type { AttemptStore } from '../../ports/attempt-store.js';
import { portTable } from '../../ports/port-table.js';
import { type CodeReviewConfig, checkReviewConfig } from './code-review-config.js';
import type { ReviewTask, TaskWork } from './task.js';
import type { TaskCheck } from './task-checks.js';
import type { ReviewPolicy } from './task-policy.js';

/** The context of an `execute` call. */
export interface ExecuteContext
  extends Pick<StepContext, 'signal' | 'step' | 'reportUsage' | 'ask' | 'runId'> {
  /** The number of the attempt, counted from 1. */
  readonly attempt: number;
  /** The reason why the previous attempt failed, at most 1024 bytes. */
  readonly previousError: string | undefined;
}

type Ports = Pick<
  PipelineOptions<ReviewTask, TaskWork>,
  'provider' | 'workspace' | 'store' | 'limiter' | 'clock' | 'random' | 'logger' | 'audit' | 'learn'
>;

/** Options of {@link TaskReview}. */
export interface TaskReviewOptions extends Ports {
  /** Reads the change of a task, such as `gitDiff({ cwd })` of `reviewloop/node`. */
  readonly diff: DiffSource;
  /** Does the task in the folder that `diff` reads. @default none: the task is already done */
  readonly execute?: ((task: ReviewTask, context: ExecuteContext) => Promise<void>) | undefined;
  /**
   * The tests, which run first, such as `command({ id: 'tests', run: ['npm', 'test'], cwd })` of
   * `reviewloop/node`.
   *
   * @default none
   */
  readonly tests?: TaskCheck | undefined;
  /**
   * The linter, which runs after the tests have passed. Files that it changes are tested again.
   *
   * @default none
   */
  readonly lint?: TaskCheck | undefined;
  /**
   * Fails work that weakens what checks it, before the tests run, with these options.
   *
   * @default false
   */
  readonly honestWork?: HonestWorkOptions | false | undefined;
  /**
   * Options of the code review; `false` disables it.
   *
   * @default {}: the pipeline's provider reviews
   */
  readonly review?: CodeReviewConfig | false | undefined;
  /**
   * Whether a failed review blocks the task. `required` needs a review or `hitlReview`. A review
   * without a verdict always blocks it.
   *
   * @default 'advisory'
   */
  readonly reviewPolicy?: ReviewPolicy | undefined;
  /** Whether a person decides after every review. @default false */
  readonly hitlReview?: boolean | undefined;
  /** The maximum number of attempts at a task, from 1. A person may ask for more. @default 3 */
  readonly maxAttempts?: number | undefined;
  /** The number of retries of a failed review, from 0. @default 1 */
  readonly reviewErrorRetries?: number | undefined;
  /** Commits accepted work, once for each run. `key` identifies the commit. @default none */
  readonly commit?:
    | ((task: ReviewTask, work: TaskWork, context: { readonly key: string }) => Promise<void>)
    | undefined;
  /**
   * The most that one run may spend on reviews, and on what `execute` reports: `tokens` and
   * `costUsd`. A continued run counts what it spent before.
   *
   * @default unlimited
   */
  readonly budget?:
    | { readonly tokens?: number | undefined; readonly costUsd?: number | undefined }
    | undefined;
  /** Stores every attempt. @default memoryAttempts() */
  readonly attempts?: AttemptStore | undefined;
  /** Receives every question to a person. @default none */
  readonly notify?: NonNullable<PipelineOptions<never, never>['human']>['notify'];
  /** The time to answer a question, in milliseconds. @default never expires */
  readonly expiresAfterMs?: number | undefined;
  /** The timeout of one `execute` call, in milliseconds. @default 3600000 */
  readonly executeTimeoutMs?: number | undefined;
}

const { provider, store, limiter, clock, random, logger, audit, learn } = portTable;
const ports = {
  ...{ provider, workspace: elsewhere() },
  ...{ store, limiter, clock, random, logger, audit, learn },
};
const portNames = Object.keys(ports) as (keyof typeof ports)[];

const checkCalled = (id: 'tests' | 'lint'): OptionCheck<object> =>
  fits(
    `a reviewer with the id '${id}', such as command({ id: '${id}', run, cwd })`,
    (value) => isCallable(value, 'review') && Object(value).id === id,
  );

const table: OptionTable<TaskReviewOptions> = {
  diff: required(like('a DiffSource such as gitDiff()', 'diff', 'head')),
  execute: call,
  ...{ tests: checkCalled('tests'), lint: checkCalled('lint') },
  ...{ review: elsewhere(), honestWork: elsewhere() },
  reviewPolicy: oneOf('advisory', 'required'),
  hitlReview: flag,
  maxAttempts: whole(1),
  budget: nested<NonNullable<TaskReviewOptions['budget']>>({
    tokens: checkPositive,
    costUsd: checkPositive,
  }),
  reviewErrorRetries: whole(0),
  commit: call,
  attempts: like('an AttemptStore such as memoryAttempts()', 'record', 'of'),
  notify: call,
  ...{ expiresAfterMs: checkPositive, executeTimeoutMs: checkPositive },
  ...ports,
};

export function portsOf(options: TaskReviewOptions): Ports {
  return givenOf(options, portNames);
}

export function checkTaskReview(options: TaskReviewOptions): void {
  checkTable('TaskReview', table, options);
  const { review = {} } = options;
  if (review !== false) checkReviewConfig(review);
  else if (options.reviewPolicy === 'required' && options.hitlReview !== true)
    throw invalid(
      'reviewPolicy',
      "'advisory' if `review` is false and `hitlReview` is not set: nobody could review",
      options.reviewPolicy,
    );
}
