import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';

const texts = builtOnUse(() => z.array(z.string()).default([]));

/** One milestone of a plan. */
export const MilestoneSchema = builtOnUse(() =>
  z.object({
    /** As in `M1`. */
    id: z.string().min(1),
    title: z.string().default(''),
    acceptanceCriteria: texts,
    /** What is to be changed in the code, in words. */
    codeIntents: texts,
    /** The files that it makes or changes. */
    files: texts,
    /** What of the documentation it writes or changes. */
    docs: texts,
    /** Its changes as unified diffs, with the line that each begins in. */
    diffs: z.array(z.object({ text: z.string(), line: z.int().min(1).optional() })).default([]),
    /** Its lines in the file that it was read from. */
    line: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
  }),
);
/** One milestone of a plan. */
export type Milestone = z.infer<typeof MilestoneSchema>;

/** A plan of milestones (seed 001). */
export const PlanDocumentSchema = builtOnUse(() =>
  z.object({ title: z.string().default(''), milestones: z.array(MilestoneSchema).default([]) }),
);
/** A plan of milestones. */
export type PlanDocument = z.infer<typeof PlanDocumentSchema>;
