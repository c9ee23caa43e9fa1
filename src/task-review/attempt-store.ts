import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { ReviewLoopError } from '../core/errors.js';
import { UsageSchema } from '../core/usage.js';
import { firstBytes } from '../text/truncate.js';

/** What came of a review, in the words of seed 002; `not_run` and `error` are silences that must not be taken for a pass. */
export const ReviewVerdictSchema = builtOnUse(() =>
  z.enum(['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error']),
);

const id = builtOnUse(() => z.string().min(1).max(1000));

/** One attempt at a task, and what was found and decided about it. */
export const TaskAttemptSchema = builtOnUse(() =>
  z.object({
    taskId: id,
    runId: id,
    /** Counted from 1 within its run. */
    attempt: z.int().min(1),
    status: z.enum(['success', 'failed', 'waiting']),
    /** What the attempt comes to: the person's decision where there is one, else the machine's verdict; `null` while nobody knows. */
    reviewStatus: ReviewVerdictSchema.nullable(),
    /** What the reviewers said; the first 2048 bytes are kept, cut between two characters. */
    reviewFindings: z.string().nullable(),
    /** What the reviewers decided, whatever a person made of it. */
    machineVerdict: ReviewVerdictSchema.nullable(),
    humanDecision: z.enum(['approve', 'reject', 'fix', 'skip']).nullable(),
    decidedBy: z.string().nullable(),
    /** Why the person decided so, as far as that was said. */
    decisionReason: z.string().nullable().default(null),
    /** How many issues were found; `null` where that is not known. */
    issues: z.int().min(0).nullable(),
    error: z.string().nullable(),
    errorCode: z.string().nullable(),
    /** What its reviews used; what is not known is left out, and never 0. */
    reviewUsage: UsageSchema.default({}),
    /** How long its reviews took; `null` where there was none. */
    reviewDurationMs: z.number().min(0).nullable().default(null),
    /** ISO 8601. */
    at: z.iso.datetime(),
  }),
);
/** One attempt at a task, and what was found and decided about it. */
export type TaskAttempt = z.infer<typeof TaskAttemptSchema>;

/** Where attempts at tasks are kept. */
export interface AttemptStore {
  /**
   * Keeps an attempt; one of the same task, run and number is replaced in its place. Resolves when it will survive.
   *
   * @throws ReviewLoopError `invalid_options` for what is no attempt
   */
  readonly record: (attempt: TaskAttempt) => Promise<void>;
  /** The attempts at a task, the oldest first. */
  readonly of: (taskId: string) => Promise<readonly TaskAttempt[]>;
  /** The newest attempt at a task. */
  readonly last: (taskId: string) => Promise<TaskAttempt | undefined>;
}

/** How much of the findings is kept, in bytes. */
const mostFindings = 2048;

/**
 * An attempt as every store keeps it.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function attemptToKeep(given: TaskAttempt): TaskAttempt {
  const parsed = TaskAttemptSchema.safeParse(given);
  if (!parsed.success)
    throw new ReviewLoopError(
      'invalid_options',
      `the attempt was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: given },
    );
  const { reviewFindings } = parsed.data;
  return {
    ...parsed.data,
    reviewFindings: reviewFindings === null ? null : firstBytes(reviewFindings, mostFindings),
  };
}

/** The key of an attempt: two records of it are the same attempt. */
export function attemptKey({ taskId, runId, attempt }: TaskAttempt): string {
  return JSON.stringify([taskId, runId, attempt]);
}

/**
 * Attempts in memory, gone with the process.
 *
 * @example
 * ```ts
 * const attempts = memoryAttempts();
 * ```
 */
export function memoryAttempts(): AttemptStore {
  const kept = new Map<string, TaskAttempt>();
  const of = (taskId: string): TaskAttempt[] =>
    structuredClone([...kept.values()].filter((attempt) => attempt.taskId === taskId));
  return {
    record: async (attempt) => void kept.set(attemptKey(attempt), attemptToKeep(attempt)),
    of: async (taskId) => of(taskId),
    last: async (taskId) => of(taskId).at(-1),
  };
}
