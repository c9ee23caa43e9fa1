import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { ReviewLoopError } from '../core/errors.js';
import { firstBytes } from '../core/text/truncate.js';
import { UsageSchema } from '../core/usage.js';

/**
 * The verdict of a review. `not_run` and `error` mean that nobody reviewed. They never count as a
 * pass.
 */
export const ReviewVerdictSchema = builtOnUse(() =>
  z.enum(['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error']),
);

const id = builtOnUse(() => z.string().min(1).max(1000));

export const TaskAttemptSchema = builtOnUse(() =>
  z.object({
    taskId: id,
    runId: id,
    /** The number of the attempt in its run, counted from 1. */
    attempt: z.int().min(1),
    status: z.enum(['success', 'failed', 'waiting']),
    /**
     * The person's decision, or else the reviewers' verdict; `null` before a review.
     */
    reviewStatus: ReviewVerdictSchema.nullable(),
    /** The reviewers' text, cut to 2048 bytes. */
    reviewFindings: z.string().nullable(),
    /** The verdict of the reviewers, even after a person has decided. */
    machineVerdict: ReviewVerdictSchema.nullable(),
    humanDecision: z.enum(['approve', 'reject', 'fix', 'skip']).nullable(),
    decidedBy: z.string().nullable(),
    /** The person's reason; `null` without a reason. */
    decisionReason: z.string().nullable().default(null),
    /** The number of issues; `null` if it is unknown. */
    issues: z.int().min(0).nullable(),
    error: z.string().nullable(),
    errorCode: z.string().nullable(),
    /** The usage of the reviews. Unknown figures are absent, never 0. */
    reviewUsage: UsageSchema.default({}),
    /** The duration of the reviews, in milliseconds; `null` without a review. */
    reviewDurationMs: z.number().min(0).nullable().default(null),
    /** The time of the attempt, in ISO 8601. */
    at: z.iso.datetime(),
  }),
);
/** One attempt at a task, with the findings and decisions about it. */
export interface TaskAttempt extends z.infer<typeof TaskAttemptSchema> {}

/** Stores attempts at tasks. */
export interface AttemptStore {
  /**
   * Stores an attempt, and replaces the attempt of the same task, run and number. Resolves when the
   * attempt is durable.
   *
   * @throws ReviewLoopError `invalid_options` for an invalid attempt
   */
  readonly record: (attempt: TaskAttempt) => Promise<void>;
  /** Returns the attempts at a task, oldest first. */
  readonly of: (taskId: string) => Promise<readonly TaskAttempt[]>;
  /** Returns the newest attempt at a task. */
  readonly last: (taskId: string) => Promise<TaskAttempt | undefined>;
}

const maxFindingsBytes = 2048;

export function attemptToStore(given: TaskAttempt): TaskAttempt {
  const parsed = TaskAttemptSchema.safeParse(given);
  if (!parsed.success)
    throw new ReviewLoopError(
      'invalid_options',
      `the attempt is invalid: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: given },
    );
  const { reviewFindings } = parsed.data;
  return {
    ...parsed.data,
    reviewFindings: reviewFindings === null ? null : firstBytes(reviewFindings, maxFindingsBytes),
  };
}

export function attemptKey({ taskId, runId, attempt }: TaskAttempt): string {
  return JSON.stringify([taskId, runId, attempt]);
}

/**
 * Creates a store in the memory of this process.
 *
 * @example
 * ```ts
 * const attempts = memoryAttempts();
 * ```
 */
export function memoryAttempts(): AttemptStore {
  const stored = new Map<string, TaskAttempt>();
  const of = (taskId: string): TaskAttempt[] =>
    structuredClone([...stored.values()].filter((attempt) => attempt.taskId === taskId));
  return {
    record: async (attempt) => void stored.set(attemptKey(attempt), attemptToStore(attempt)),
    of: async (taskId) => of(taskId),
    last: async (taskId) => of(taskId).at(-1),
  };
}
