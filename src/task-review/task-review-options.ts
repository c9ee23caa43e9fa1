import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import type { StepContext } from '../core/step.js';
import type { DiffSource } from '../diff/diff-source.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import type { AttemptStore } from './attempt-store.js';
import { type CodeReviewConfig, checkReviewConfig } from './code-review-config.js';
import type { ReviewTask } from './task.js';
import type { TaskCheck } from './task-checks.js';
import type { ReviewPolicy } from './task-policy.js';
import type { TaskWork } from './task-work.js';

/** What those who do a task are told beside it. */
export interface ExecuteContext
  extends Pick<StepContext, 'signal' | 'step' | 'reportUsage' | 'runId'> {
  /** Counted from 1. */
  readonly attempt: number;
  /** Why the attempt before was not good enough, at most 1024 bytes. */
  readonly previousError: string | undefined;
}

/** What a {@link TaskReview} is made of. */
export interface TaskReviewOptions
  extends Pick<
    PipelineOptions<ReviewTask, TaskWork>,
    | 'provider'
    | 'workspace'
    | 'store'
    | 'limiter'
    | 'clock'
    | 'random'
    | 'logger'
    | 'audit'
    | 'learn'
  > {
  /** Where the change of a task is read; `gitDiff({ cwd })` of `reviewloop/git`. */
  readonly diff: DiffSource;
  /** Does the task, in the folder that `diff` reads. @default it is done already, and cannot be done again */
  readonly execute?: ((task: ReviewTask, context: ExecuteContext) => Promise<void>) | undefined;
  /** Judges first; `command({ id: 'tests', run: ['npm', 'test'], cwd })` of `reviewloop/command`. @default none */
  readonly tests?: TaskCheck | undefined;
  /** Judges when the tests passed. What it changes by itself is tested again. @default none */
  readonly lint?: TaskCheck | undefined;
  /** Who reviews the code; `false` for nobody. @default {}: the pipeline's provider */
  readonly review?: CodeReviewConfig | false | undefined;
  /** Whether a review that fails, or does not take place, holds the work up. @default 'advisory' */
  readonly reviewPolicy?: ReviewPolicy | undefined;
  /** Whether a person is asked after every review. @default false */
  readonly hitlReview?: boolean | undefined;
  /** How often a task is done at most, unless a person asks for more. @default 3 */
  readonly maxAttempts?: number | undefined;
  /** How often a review that broke is asked for again. @default 1 */
  readonly reviewErrorRetries?: number | undefined;
  /** Keeps what was let through; once for each run, after the person. @default nothing */
  readonly commit?:
    | ((task: ReviewTask, work: TaskWork, context: { readonly key: string }) => Promise<void>)
    | undefined;
  /** @default memoryAttempts() */
  readonly attempts?: AttemptStore | undefined;
  /** Told of every question. @default nobody */
  readonly notify?: NonNullable<PipelineOptions<never, never>['human']>['notify'];
  /** How long a question can be answered. @default for ever */
  readonly expiresAfterMs?: number | undefined;
  /** For one attempt of `execute`. @default 3600000 */
  readonly executeTimeoutMs?: number | undefined;
}

const own = [
  'diff',
  'execute',
  'tests',
  'lint',
  'review',
  'reviewPolicy',
  'hitlReview',
  'maxAttempts',
  'reviewErrorRetries',
  'commit',
  'attempts',
  'notify',
  'expiresAfterMs',
  'executeTimeoutMs',
];
const ports = [
  'provider',
  'workspace',
  'store',
  'limiter',
  'clock',
  'random',
  'logger',
  'audit',
  'learn',
];

/** The options that a pipeline takes as they are. */
export function portsOf(
  options: TaskReviewOptions,
): Pick<
  TaskReviewOptions,
  'provider' | 'workspace' | 'store' | 'limiter' | 'clock' | 'random' | 'logger' | 'audit' | 'learn'
> {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => ports.includes(name) && value !== undefined),
  );
}

interface OptionRule {
  readonly name: keyof TaskReviewOptions;
  readonly expected: string;
  readonly holds: (value: never) => boolean;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Of options that are there. */
const rules: readonly OptionRule[] = [
  {
    name: 'attempts',
    expected: 'an AttemptStore such as memoryAttempts()',
    holds: (store: AttemptStore) => isFunction(store?.record) && isFunction(store.of),
  },
  ...(['execute', 'commit', 'notify'] as const).map((name) => ({
    name,
    expected: 'a function',
    holds: isFunction,
  })),
  ...(['tests', 'lint'] as const).map((name) => ({
    name,
    expected: `a reviewer with the id '${name}', such as command({ id: '${name}', run, cwd })`,
    holds: (check: TaskCheck) => isFunction(check?.review) && check.id === name,
  })),
  {
    name: 'reviewPolicy',
    expected: "'advisory' or 'required'",
    holds: (policy: string) => ['advisory', 'required'].includes(policy),
  },
  {
    name: 'hitlReview',
    expected: 'true or false',
    holds: (value: unknown) => typeof value === 'boolean',
  },
];

/** @throws ReviewLoopError `invalid_options` */
export function checkTaskReview(options: TaskReviewOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('the options of TaskReview', 'an object', options);
  checkKeys('TaskReview', options, [...own, ...ports]);
  const { diff, review = {}, maxAttempts = 3, reviewErrorRetries = 1 } = options;
  if (!isFunction(diff?.diff) || !isFunction(diff.head))
    throw invalid('diff', 'a DiffSource such as gitDiff()', diff);
  for (const { name, expected, holds } of rules)
    if (options[name] !== undefined && !holds(options[name] as never))
      throw invalid(name, expected, options[name]);
  checkWhole('maxAttempts', maxAttempts, 1);
  checkWhole('reviewErrorRetries', reviewErrorRetries, 0);
  checkPositive('expiresAfterMs', options.expiresAfterMs);
  checkPositive('executeTimeoutMs', options.executeTimeoutMs);
  if (review !== false) checkReviewConfig(review);
}
