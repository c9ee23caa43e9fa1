import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import {
  type AttemptStore,
  attemptToStore,
  type TaskAttempt,
  TaskAttemptSchema,
} from '../../../ports/attempt-store.js';
import { portErrors } from '../../../ports/errors.js';
import { usageColumns } from '../record-columns.js';
import { cast, optional, required, table } from './columns.js';
import { plainText, type TableDatabase } from './table-database.js';

/** The database gives the number in the task. An unknown value is NULL, never 0. */
export const attemptRows = table<TaskAttempt>('attempts', '', {
  task_id: required.text(({ taskId }) => taskId),
  run_id: optional.text(({ runId }) => runId),
  run_attempt: optional.whole(({ attempt }) => attempt),
  status: optional.text(({ status }) => status),
  error: optional.text(({ error }) => error),
  error_code: optional.text(({ errorCode }) => errorCode),
  review_status: optional.text(({ reviewStatus }) => reviewStatus),
  review_findings: optional.text(({ reviewFindings }) => reviewFindings),
  review_issues: optional.whole(({ issues }) => issues),
  machine_verdict: optional.text(({ machineVerdict }) => machineVerdict),
  human_decision: optional.text(({ humanDecision }) => humanDecision),
  human_by: optional.text(({ decidedBy }) => decidedBy),
  human_reason: optional.text(({ decisionReason }) => decisionReason),
  review_duration_ms: optional.figure(({ reviewDurationMs }) => reviewDurationMs),
  ...usageColumns(({ reviewUsage }) => reviewUsage),
  at: optional.figure(({ at }) => Date.parse(at)),
});

/**
 * Each attempt has a number in its run and one in its task. A row with the same key is replaced in
 * its place; others get the next number.
 */
export function attemptsIn(database: TableDatabase): AttemptStore {
  const rows = `${database.schema}.attempts`;
  const names = Object.keys(attemptRows.columns);
  const given = Object.values(attemptRows.columns).map((column, at) => cast(column, at + 1));
  const same = `task_id = ${given[0]} AND run_id = ${given[1]} AND run_attempt = ${given[2]}`;
  const replace = `UPDATE ${rows} SET ${names.map((name, at) => `${name} = ${given[at]}`).join(', ')}
    WHERE ${same}`;
  const insert = `INSERT INTO ${rows} (${names.join(', ')}, attempt)
    SELECT ${given.join(', ')},
      (SELECT coalesce(max(attempt), 0) + 1 FROM ${rows} WHERE task_id = ${given[0]})
    WHERE NOT EXISTS (SELECT 1 FROM ${rows} WHERE ${same}) ON CONFLICT DO NOTHING`;
  const ask = async (taskId: string, order: string): Promise<TaskAttempt[]> => {
    const found = await database.ask(
      `SELECT * FROM ${rows} WHERE task_id = $1 ORDER BY attempt ${order}`,
      [plainText(taskId)],
    );
    return found.map((row) => attemptInRow(row, database.name));
  };
  return {
    record: async (attempt) => {
      const values = Object.values(attemptRows.row(attemptToStore(attempt)));
      const isWritten = async (sql: string): Promise<boolean> =>
        (await database.change(sql, values)) > 0;
      // another writer may take the number or write the row in between: one of them always succeeds
      while (!(await isWritten(replace)) && !(await isWritten(insert)));
    },
    of: (taskId) => ask(taskId, ''),
    last: async (taskId) => (await ask(taskId, 'DESC LIMIT 1'))[0],
  };
}

/**
 * Rows of other programs may lack a run and a time. A status that is neither `success` nor
 * `waiting` counts as `failed`.
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
