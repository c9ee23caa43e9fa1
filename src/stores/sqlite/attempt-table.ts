import type { AttemptStore, TaskAttempt } from '../../ports/attempt-store.js';
import type { Attempt, Attempts } from './attempts.js';

/**
 * The attempts table as what a task review keeps its attempts in. Attempts of a task are numbered through, over all of its runs.
 *
 * @example
 * ```ts
 * const review = new TaskReview({ ...options, attempts: attemptTable(sqliteStore('runs.db').attempts) });
 * ```
 */
export function attemptTable(table: Attempts): AttemptStore {
  const of = async (taskId: string): Promise<TaskAttempt[]> => asRecorded(await table.of(taskId));
  return {
    record: async ({ taskId, runId, attempt, status, reviewStatus, reviewFindings, machineVerdict, humanDecision, decidedBy, issues, error, errorCode, at }) => {
      const known = (await table.of(taskId)).filter((row) => row.runId === runId)[attempt - 1];
      const members = { reviewStatus, reviewFindings, machineVerdict, humanDecision, humanBy: decidedBy, reviewIssues: issues, error, errorCode };
      const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
      await table.record({ taskId, runId, status, startedAt: Date.parse(at), ...(known !== undefined && { attempt: known.attempt }), ...given });
    },
    of,
    last: async (taskId) => (await of(taskId)).at(-1),
  };
}

function asRecorded(rows: readonly Attempt[]): TaskAttempt[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const { taskId, runId = 'unknown', status, reviewStatus = null, reviewFindings = null, machineVerdict = null, humanDecision = null } = row;
    const attempt = (counts.get(runId) ?? 0) + 1;
    counts.set(runId, attempt);
    const known = status === 'success' || status === 'waiting' ? status : 'failed';
    const { humanBy: decidedBy = null, reviewIssues: issues = null, errorCode = null } = row;
    const error = known === 'failed' ? (row.error ?? null) : null;
    return {
      taskId,
      runId,
      attempt,
      status: known,
      reviewStatus,
      reviewFindings,
      machineVerdict,
      humanDecision,
      decidedBy,
      issues,
      error,
      errorCode: error === null ? null : errorCode,
      at: new Date(row.startedAt ?? row.at).toISOString(),
    };
  });
}
