/** Why a task failed. `REVIEW_REJECTED` is permanent; after the others the task may be tried again. */
export type TaskErrorCode =
  | 'REVIEW_REJECTED'
  | 'FIX_REQUESTED'
  | 'TASK_FAILED'
  | 'TESTS_FAILED'
  | 'LINT_FAILED'
  | 'REVIEW_FAILED'
  | 'REVIEW_NOT_RUN'
  | 'REVIEW_ERROR'
  | 'COMMIT_FAILED'
  | 'TIMED_OUT'
  | 'CANCELLED'
  | 'ERROR';

/** Whether a task with this error must not be tried again automatically. */
export function isPermanentTaskError(code: TaskErrorCode | null | undefined): boolean {
  return code === 'REVIEW_REJECTED';
}
