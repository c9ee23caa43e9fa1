/**
 * Review of the tasks of a list. It does a task, checks it, reviews its code and asks a person.
 *
 * @module
 */

export type { RoleReview } from './ask-role.js';
export {
  type AttemptStore,
  memoryAttempts,
  ReviewVerdictSchema,
  type TaskAttempt,
  TaskAttemptSchema,
} from './attempt-store.js';
export { buildReviewPrompt } from './build-review-prompt.js';
export type { CodeReviewConfig, CodeReviewContext } from './code-review-config.js';
export { type ParsedTask, parseTasks, sortTasks } from './parse-tasks.js';
export { type ParsedVerdict, parseVerdicts } from './parse-verdicts.js';
export type { ReviewPromptContext } from './prompt-sections.js';
export { type ReviewIssue, ReviewIssueSchema } from './review-answer.js';
export { type CodeReview, reviewCode, runCodeReview } from './review-code.js';
export type { ReviewPromptConfig } from './review-prompt-config.js';
export { type ReviewRole, reviewRoles, type VerdictFormat } from './review-templates.js';
export { aggregateVerdicts, type ReviewedVerdict, ReviewVerdict } from './review-verdict.js';
export {
  type ReviewTask,
  ReviewTaskSchema,
  type TaskWork,
  TaskWorkSchema,
  taskStatusLine,
} from './task.js';
export { type TaskChange, TaskChangeSchema } from './task-change.js';
export type { TaskCheck } from './task-checks.js';
export { isPermanentTaskError, type TaskErrorCode } from './task-error-code.js';
export type { ReviewPolicy } from './task-policy.js';
export { formatReviewFindings, taskQuestionTexts } from './task-question-texts.js';
export type { TaskResult } from './task-result.js';
export { type PostDoneOptions, postDoneHook, TaskReview } from './task-review.js';
export type { ExecuteContext, TaskReviewOptions } from './task-review-options.js';
