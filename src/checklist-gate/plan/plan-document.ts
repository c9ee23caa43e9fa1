import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';

const texts = builtOnUse(() => z.array(z.string()).default([]));

const MilestoneSchema = builtOnUse(() =>
  z.object({
    /** The id, such as `M1`. */
    id: z.string().min(1),
    title: z.string().default(''),
    acceptanceCriteria: texts,
    /** The code changes, in words. */
    codeIntents: texts,
    /** The files that the milestone creates or changes. */
    files: texts,
    /** The documents that the milestone writes or changes. */
    docs: texts,
    /** The changes as unified diffs, each with its first line in the plan. */
    diffs: z.array(z.object({ text: z.string(), line: z.int().min(1).optional() })).default([]),
    /** The lines of the milestone in the plan file, from 1. */
    line: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
  }),
);
export interface Milestone extends z.infer<typeof MilestoneSchema> {}

/** A plan of milestones. */
export const PlanDocumentSchema = builtOnUse(() =>
  z.object({ title: z.string().default(''), milestones: z.array(MilestoneSchema).default([]) }),
);
/** A plan of milestones. */
export interface PlanDocument extends z.infer<typeof PlanDocumentSchema> {}
