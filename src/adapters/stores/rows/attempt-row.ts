import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import { portErrors } from '../../../ports/errors.js';
import {
  type AttemptStore,
  attemptToStore,
  type TaskAttempt,
  TaskAttemptSchema,
} from '../../../products/task-review/attempt-store.js';
import { plainText, type TableDatabase } from './table-database.js';

type Column = readonly [name: string, value: string | number | null];

/** An attempt as a row, without its number in its task. */
export interface AttemptRow {
  readonly key: readonly [taskId: string, runId: string, attempt: number];
  readonly texts: readonly Column[];
  readonly numbers: readonly Column[];
}

/**
 * Returns the store of attempts in a database. Each attempt has a number in its run and one in its
 * task.
 *
 * @param write - Replaces the row with the same key in its place, or gives it the next number.
 */
export function attemptsIn(
  database: TableDatabase,
  write: (row: AttemptRow) => Promise<void>,
): AttemptStore {
  const ask = async (taskId: string, order: string): Promise<TaskAttempt[]> => {
    const rows = await database.ask(
      `SELECT * FROM ${database.schema}.attempts WHERE task_id = $1 ORDER BY attempt ${order}`,
      [plainText(taskId)],
    );
    return rows.map((row) => attemptInRow(row, database.name));
  };
  return {
    record: async (attempt) => write(rowOf(attemptToStore(attempt))),
    of: (taskId) => ask(taskId, ''),
    last: async (taskId) => (await ask(taskId, 'DESC LIMIT 1'))[0],
  };
}

/** Returns the row of an attempt. An unknown value is NULL, never 0. */
function rowOf(attempt: TaskAttempt): AttemptRow {
  const { inputTokens, outputTokens, cachedInputTokens, totalTokens, costUsd } =
    attempt.reviewUsage;
  const texts = {
    status: attempt.status,
    review_status: attempt.reviewStatus,
    review_findings: attempt.reviewFindings,
    machine_verdict: attempt.machineVerdict,
    human_decision: attempt.humanDecision,
    human_by: attempt.decidedBy,
    human_reason: attempt.decisionReason,
    error: attempt.error,
    error_code: attempt.errorCode,
  };
  const numbers = {
    review_issues: attempt.issues,
    review_duration_ms: attempt.reviewDurationMs,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cached_input_tokens: cachedInputTokens,
    total_tokens: totalTokens,
    cost_usd: costUsd,
    at: Date.parse(attempt.at),
  };
  return {
    key: [plainText(attempt.taskId), plainText(attempt.runId), attempt.attempt],
    texts: Object.entries(texts).map(([name, text]) => [name, plainText(text ?? undefined)]),
    numbers: Object.entries(numbers).map(([name, value]) => [name, value ?? null]),
  };
}

/**
 * Returns the attempt in a row. Rows of other programs may lack a run and a time. A status that is
 * neither `success` nor `waiting` counts as `failed`.
 *
 * @param database - Its name in messages.
 */
function attemptInRow(row: Readonly<Record<string, unknown>>, database: string): TaskAttempt {
  const usage = {
    inputTokens: row['input_tokens'],
    outputTokens: row['output_tokens'],
    cachedInputTokens: row['cached_input_tokens'],
    totalTokens: row['total_tokens'],
    costUsd: row['cost_usd'],
  };
  const status = row['status'];
  const time = new Date(Number(row['at']));
  const { success, data, error } = TaskAttemptSchema.safeParse({
    taskId: row['task_id'],
    runId: row['run_id'] ?? 'unknown',
    attempt: row['run_attempt'],
    status: status === 'success' || status === 'waiting' ? status : 'failed',
    reviewStatus: row['review_status'],
    reviewFindings: row['review_findings'],
    machineVerdict: row['machine_verdict'],
    humanDecision: row['human_decision'],
    decidedBy: row['human_by'],
    decisionReason: row['human_reason'],
    issues: row['review_issues'],
    error: row['error'],
    errorCode: row['error_code'],
    reviewUsage: Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)),
    reviewDurationMs: row['review_duration_ms'],
    at: Number.isNaN(time.getTime()) ? row['at'] : time.toISOString(),
  });
  if (success) return data;
  throw new ReviewLoopError(
    portErrors.journal_corrupt,
    `${database} contains a malformed attempt: ${z.prettifyError(error)}`,
    { cause: error, value: row },
  );
}
