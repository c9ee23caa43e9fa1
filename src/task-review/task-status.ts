import type { TaskAttempt } from './attempt-store.js';
import type { ReviewTask } from './task.js';

/** One line about a task, as `TASK-002: success (review: fixed, 2 issues)`. */
export function taskStatusLine(
  { id }: Pick<ReviewTask, 'id'>,
  last: TaskAttempt | undefined,
): string {
  if (last === undefined) return `${id}: pending`;
  const { status, reviewStatus, issues } = last;
  if (reviewStatus === null) return `${id}: ${status}`;
  const counted = reviewStatus === 'fixed' || reviewStatus === 'failed';
  const count =
    counted && issues !== null && issues > 0
      ? `, ${issues} ${issues === 1 ? 'issue' : 'issues'}`
      : '';
  return `${id}: ${status.padEnd(7)} (review: ${reviewStatus}${count})`;
}
