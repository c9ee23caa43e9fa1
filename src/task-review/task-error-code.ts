/**
 * The reason why a task failed. `REVIEW_REJECTED` is permanent. After the others, another attempt
 * is possible.
 */
export type TaskErrorCode =
  | 'REVIEW_REJECTED'
  | 'FIX_REQUESTED'
  | 'NOTHING_CHANGED'
  | 'CHECKS_WEAKENED'
  | 'TASK_FAILED'
  | 'TESTS_FAILED'
  | 'LINT_FAILED'
  | 'REVIEW_FAILED'
  | 'REVIEW_NOT_RUN'
  | 'REVIEW_ERROR'
  | 'COMMIT_FAILED'
  | 'HISTORY_CHANGED'
  | 'TIMED_OUT'
  | 'CANCELLED'
  | 'ERROR';

export function isPermanentTaskError(code: TaskErrorCode | null | undefined): boolean {
  return code === 'REVIEW_REJECTED';
}
