import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { portErrors } from '../../ports/errors.js';
import { type TaskAttempt, TaskAttemptSchema } from '../../task-review/attempt-store.js';
import { plainText } from '../plain-text.js';

export type Column = readonly [name: string, value: string | number | null];

/** Returns the columns of an attempt. An unknown value is NULL, never 0. */
export function attemptColumns(attempt: TaskAttempt): {
  readonly texts: readonly Column[];
  readonly numbers: readonly Column[];
} {
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
    texts: Object.entries(texts).map(([name, text]) => [name, plainText(text ?? undefined)]),
    numbers: Object.entries(numbers).map(([name, value]) => [name, value ?? null]),
  };
}

/**
 * Returns the attempt in a row. Rows of other programs may lack a run and a time. A status that is
 * neither `success` nor `waiting` counts as `failed`.
 *
 * @param database - Its name in messages.
 * @throws ReviewLoopError `journal_corrupt`
 */
export function attemptInRow(
  row: Readonly<Record<string, unknown>>,
  database: string,
): TaskAttempt {
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
