import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { TaskChangeSchema } from './task-change.js';

/** What a task comes to: the version that is reviewed. */
export const TaskWorkSchema = builtOnUse(() =>
  z.object({
    /** Counted from 1. */
    attempt: z.int().min(1),
    change: TaskChangeSchema,
    /** Why the attempt before was not good enough; shown to who does the task, and to reviewers. */
    previousError: z.string().optional(),
    /** Why the task could not be done at all. */
    failure: z.string().optional(),
    /** How often reviewers or the linter have mended this attempt. */
    repairs: z.int().min(0),
    /** What the linter changed by itself. */
    lintFixed: z.string().optional(),
  }),
);
/** What a task comes to: the version that is reviewed. */
export type TaskWork = z.infer<typeof TaskWorkSchema>;

/** How often one attempt may be mended by its own reviewers before that is no longer trusted. */
export const mostRepairs = 2;
