import * as z from 'zod';

/** What came of a review, in the words of seed 002; `not_run` and `error` are silences that must not be taken for a pass. */
export const ReviewVerdictSchema = z.enum(['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error']);

/** One attempt at a task, and what was found and decided about it. */
export const TaskAttemptSchema = z.object({
  taskId: z.string().min(1),
  runId: z.string().min(1),
  /** Counted from 1 within its run. */
  attempt: z.int().min(1),
  status: z.enum(['success', 'failed', 'waiting']),
  /** What the attempt comes to: the person's decision where there is one, else the machine's verdict; `null` while nobody knows. */
  reviewStatus: ReviewVerdictSchema.nullable(),
  /** What the reviewers said, at most 2048 bytes. */
  reviewFindings: z.string().nullable(),
  /** What the reviewers decided, whatever a person made of it. */
  machineVerdict: ReviewVerdictSchema.nullable(),
  humanDecision: z.enum(['approve', 'reject', 'fix', 'skip']).nullable(),
  decidedBy: z.string().nullable(),
  /** How many issues were found; `null` where that is not known. */
  issues: z.int().min(0).nullable(),
  error: z.string().nullable(),
  errorCode: z.string().nullable(),
  /** ISO 8601. */
  at: z.string(),
});
/** One attempt at a task, and what was found and decided about it. */
export type TaskAttempt = z.infer<typeof TaskAttemptSchema>;

/** Where attempts at tasks are kept. */
export interface AttemptStore {
  /** Keeps an attempt; one of the same task, run and number is replaced in its place. Resolves when it will survive. */
  readonly record: (attempt: TaskAttempt) => Promise<void>;
  /** The attempts at a task, the oldest first. */
  readonly of: (taskId: string) => Promise<readonly TaskAttempt[]>;
  /** The newest attempt at a task. */
  readonly last: (taskId: string) => Promise<TaskAttempt | undefined>;
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
 * const attempts = attemptMemory();
 * ```
 */
export function attemptMemory(): AttemptStore {
  const kept = new Map<string, TaskAttempt>();
  const of = (taskId: string): TaskAttempt[] => [...kept.values()].filter((attempt) => attempt.taskId === taskId);
  return {
    record: async (attempt) => void kept.set(attemptKey(attempt), TaskAttemptSchema.parse(attempt)),
    of: async (taskId) => of(taskId),
    last: async (taskId) => of(taskId).at(-1),
  };
}
