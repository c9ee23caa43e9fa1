import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';

/** How a file was changed. */
export const ChangeKindSchema = builtOnUse(() => z.enum(['new', 'modified', 'deleted', 'renamed']));

/**
 * Why a judge does not see a file whole: it is binary, or a repository in the repository; its diff is shown without the file; it
 * was cut where that was allowed; or, which no judgement may pass over, it is too large or in conflict.
 */
export const OmittedSchema = builtOnUse(() =>
  z.enum(['binary', 'submodule', 'content', 'cut', 'too_large', 'unmerged']),
);

/** A file that the work changed. */
export const ChangedFileSchema = builtOnUse(() =>
  z.object({
    path: z.string().min(1),
    status: ChangeKindSchema,
    /** Where a renamed file was before. */
    oldPath: z.string().optional(),
    /** Lines. */
    added: z.int().min(0).optional(),
    removed: z.int().min(0).optional(),
    /** What it holds now; a deleted or binary file has none. */
    content: z.string().optional(),
    /** The change as a unified diff. */
    diff: z.string().optional(),
    /** Why it is not here, or not whole. */
    omitted: OmittedSchema.optional(),
    /** Where secrets stood that were taken out of it. */
    secrets: z.array(z.object({ line: z.int().min(0), text: z.string() })).optional(),
  }),
);
/** A file that the work changed. */
export type ChangedFile = z.infer<typeof ChangedFileSchema>;

/** One step of the plan as it was carried out. */
export const ExecutionResultSchema = builtOnUse(() =>
  z.object({
    step: z.string(),
    status: z.enum(['succeeded', 'failed', 'skipped']),
    output: z.string().optional(),
  }),
);

/** What a verifier found: tests, a linter, a type check. */
export const VerificationResultSchema = builtOnUse(() =>
  z.object({ name: z.string(), passed: z.boolean(), details: z.string().optional() }),
);

/**
 * Finished work, as the reviewer stage sees it (seed 003): what was asked, planned, done, verified and changed.
 */
export const CompletedWorkSchema = builtOnUse(() =>
  z.object({
    /** The session or task that it belongs to. */
    sessionId: z.string().min(1),
    /** What the user asked for. */
    request: z.string().min(1),
    acceptanceCriteria: z.array(z.string()).optional(),
    plan: z.union([z.string(), z.array(z.string())]).optional(),
    executionResults: z.array(ExecutionResultSchema),
    verificationResults: z.array(VerificationResultSchema),
    changedFiles: z.array(ChangedFileSchema),
    /** Neighbouring files that were not changed, to compare patterns and style with. */
    samples: z.array(z.object({ path: z.string(), content: z.string() })).optional(),
    /** What the one who did the work wants to be noted. */
    notes: z.array(z.string()).optional(),
    /** The commit that the changes are against, and what was compared with it. */
    base: z.string().optional(),
    head: z.string().optional(),
  }),
);
/** Finished work, as the reviewer stage sees it. */
export type CompletedWork = z.infer<typeof CompletedWorkSchema>;
