/**
 * Review of the tasks of a list. It does a task, checks it, reviews its code and asks a person.
 *
 * @module
 */

export {
  type AttemptStore,
  memoryAttempts,
  ReviewVerdictSchema,
  type TaskAttempt,
} from '../../ports/attempt-store.js';
export { buildReviewPrompt } from './build-review-prompt.js';
export { type ParsedTask, parseTasks, sortTasks } from './parse-tasks.js';
export { ReviewVerdict } from './review-answer.js';
export { type CodeReview, reviewCode, runCodeReview } from './review-code.js';
export { type ReviewRole, reviewRoles } from './review-templates.js';
export { type ReviewTask, ReviewTaskSchema, type TaskWork, taskStatusLine } from './task.js';
export type { TaskCheck } from './task-checks.js';
export type { TaskResult } from './task-result.js';
export { postDoneHook, TaskReview } from './task-review.js';
export type { ExecuteContext, TaskReviewOptions } from './task-review-options.js';
