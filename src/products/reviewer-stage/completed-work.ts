import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { parseInput } from '../../core/options.js';

export const ChangeKindSchema = builtOnUse(() => z.enum(['new', 'modified', 'deleted', 'renamed']));

/**
 * The reason why a judge does not see all of a file. `binary` and `submodule` have no text. With
 * `content`, judges see only the diff; with `cut`, a part. Work with a file that is `too_large` or
 * `unmerged` (in conflict) cannot be judged.
 */
export const OmittedSchema = builtOnUse(() =>
  z.enum(['binary', 'submodule', 'content', 'cut', 'too_large', 'unmerged']),
);

const ChangedFileSchema = builtOnUse(() =>
  z.object({
    /** The path inside the repository. */
    path: z.string().min(1),
    status: ChangeKindSchema,
    /** The previous path of a renamed file. */
    oldPath: z.string().optional(),
    /** The number of added lines. */
    added: z.int().min(0).optional(),
    /** The number of removed lines. */
    removed: z.int().min(0).optional(),
    /** The current text; absent for deleted and binary files. */
    content: z.string().optional(),
    /** The change as a unified diff. */
    diff: z.string().optional(),
    /** The reason why judges do not see all of the file. */
    omitted: OmittedSchema.optional(),
    /** Whether the file may be approved although no judge sees it. */
    mayBeUnseen: z.boolean().optional(),
    /** The lines from which secrets were removed. */
    secrets: z.array(z.object({ line: z.int().min(0), text: z.string() })).optional(),
    /** The lines with allowed secrets, and why they may stay. */
    allowedSecrets: z
      .array(z.object({ line: z.int().min(0), reason: z.string().min(1) }))
      .optional(),
  }),
);
export interface ChangedFile extends z.infer<typeof ChangedFileSchema> {}

export const ExecutionResultSchema = builtOnUse(() =>
  z.object({
    step: z.string(),
    status: z.enum(['succeeded', 'failed', 'skipped']),
    output: z.string().optional(),
  }),
);

export const VerificationResultSchema = builtOnUse(() =>
  z.object({ name: z.string(), passed: z.boolean(), details: z.string().optional() }),
);

/** Finished work for the reviewer stage: the request, the plan, its execution and the changes. */
export const CompletedWorkSchema = builtOnUse(() =>
  z.object({
    /** The id of the session or task that produced the work. */
    sessionId: z.string().min(1),
    /** The user's request. */
    request: z.string().min(1),
    acceptanceCriteria: z.array(z.string()).optional(),
    /** The plan, as a text or as a list of steps. */
    plan: z.union([z.string(), z.array(z.string())]).optional(),
    executionResults: z.array(ExecutionResultSchema),
    verificationResults: z.array(VerificationResultSchema),
    changedFiles: z.array(ChangedFileSchema),
    /** Unchanged neighbouring files, for a comparison of patterns and style. */
    samples: z.array(z.object({ path: z.string(), content: z.string() })).optional(),
    /** Remarks of the author, copied into the summary. */
    notes: z.array(z.string()).optional(),
    /** The commit that the changes start from. */
    base: z.string().optional(),
    /** The state that was compared with `base`. */
    head: z.string().optional(),
  }),
);
/** Finished work for the reviewer stage: the request, the plan, its execution and the changes. */
export interface CompletedWork extends z.infer<typeof CompletedWorkSchema> {}

export function parseWork(work: CompletedWork): CompletedWork {
  return parseInput(CompletedWorkSchema, work, { error: 'task_invalid', what: 'completed work' });
}
