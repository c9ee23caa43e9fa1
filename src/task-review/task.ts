import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';

/** One line of a checklist, with its state. */
const ChecklistItemSchema = builtOnUse(() => z.object({ text: z.string(), done: z.boolean() }));

/** A task of a task list. */
export const ReviewTaskSchema = builtOnUse(() =>
  z.object({
    id: z.string().min(1).max(100),
    name: z.string(),
    /** What is asked, beside the name and the checklist. */
    description: z.string().optional(),
    checklist: z.array(ChecklistItemSchema).readonly().default([]),
    /** Ids of tasks that must be done before. */
    dependsOn: z.array(z.string()).readonly().default([]),
  }),
);
/** A task of a task list. */
export type ReviewTask = z.input<typeof ReviewTaskSchema>;
