import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { parseInput } from '../../core/options.js';
import type { TaskAttempt } from '../../ports/attempt-store.js';
import { TaskChangeSchema } from './task-change.js';

const ChecklistItemSchema = builtOnUse(() => z.object({ text: z.string(), done: z.boolean() }));

/** A task of a task list. */
export const ReviewTaskSchema = builtOnUse(() =>
  z.object({
    /** The id, unique in a task list; 1 to 100 characters. */
    id: z.string().min(1).max(100),
    name: z.string(),
    /** The request, besides the name and the checklist. */
    description: z.string().optional(),
    checklist: z.array(ChecklistItemSchema).readonly().default([]),
    /** The ids of the tasks that must be done first. */
    dependsOn: z.array(z.string()).readonly().default([]),
  }),
);
/** A task of a task list. */
export interface ReviewTask extends z.input<typeof ReviewTaskSchema> {}

export function parseTask(task: ReviewTask): z.output<typeof ReviewTaskSchema> {
  return parseInput(ReviewTaskSchema, task, { error: 'task_invalid', what: 'task' });
}

export const TaskWorkSchema = builtOnUse(() =>
  z.object({
    /** The number of the attempt, counted from 1. */
    attempt: z.int().min(1),
    change: TaskChangeSchema,
    /** The reason why the previous attempt failed. */
    previousError: z.string().optional(),
    /** The reason why `execute` failed. */
    failure: z.string().optional(),
    /** The number of times that reviewers or the linter changed this attempt. */
    repairs: z.int().min(0),
    /** The files that the linter changed, as text. */
    lintFixed: z.string().optional(),
  }),
);
/** One version of the work on a task, as reviewers see it. */
export interface TaskWork extends z.infer<typeof TaskWorkSchema> {}

export const maxRepairs = 2;

/** Returns the status of a task as one line: `TASK-002: success (review: fixed, 2 issues)`. */
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
