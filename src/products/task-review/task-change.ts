import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import type { Diff, DiffFile, DiffHunk, DiffSource } from '../../core/diff/diff-source.js';
import { fileText, hasVisibleChange, splitDiff } from '../../core/diff/diff-text.js';
import { fitDiff } from '../../core/diff/fit-diff.js';
import { hashText } from '../../core/hash.js';
import { hiddenReason, partlyShown, unseenReason } from '../../core/partial-view.js';
import { hideSecrets } from '../../core/redact/hide-secrets.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import type { StepContext } from '../../core/step.js';
import { bytesOf } from '../../core/text/truncate.js';

const ChangedFileSchema = builtOnUse(() =>
  z.object({
    path: z.string(),
    oldPath: z.string().optional(),
    status: z.string(),
    added: z.int(),
    removed: z.int(),
    binary: z.boolean(),
    submodule: z.boolean().optional(),
  }),
);

export const TaskChangeSchema = builtOnUse(() =>
  z.object({
    /** The commit before the work began. */
    base: z.string(),
    /** A hash of the whole diff, including parts that reviewers do not see. */
    digest: z.string(),
    files: z.array(ChangedFileSchema).readonly(),
    /** Whether no line has a visible character, and no file was deleted, renamed or is binary. */
    blank: z.boolean().optional(),
    /** The diff without secrets, cut to its limit. */
    diff: z.string(),
    /** The added lines that look like secrets, which `diff` does not show, as `PATH:LINE`. */
    hidden: z.array(z.string()).readonly().optional(),
    /** The files that were too large to read. */
    unread: z.array(z.string()).readonly().optional(),
    /** The number of files that `diff` does not contain completely. */
    leftOut: z.int(),
    /** The bytes of the whole diff, if `diff` is only a part. */
    totalBytes: z.int().optional(),
    /**
     * The whole diff without secrets, as parts within the limit. Present if `diff` is only a part
     * and each file fits into one part.
     */
    parts: z.array(z.string()).readonly().optional(),
  }),
);

/** It is recorded, and reviewers see it. */
export interface TaskChange extends z.infer<typeof TaskChangeSchema> {}

export const defaultDiffBytes = 30_000;

export interface ChangeOptions {
  /** The limit of the diff, in bytes of UTF-8. @default 30000 */
  readonly maxBytes?: number | undefined;
  /** Whether to remove texts that look like secrets. @default true */
  readonly redact?: boolean | undefined;
}

/** Every file name with its counts, as many hunks as fit, and all parts. */
export function changeOf(
  diff: Pick<Diff, 'files' | 'text'> & { readonly base?: string | undefined },
  { maxBytes = defaultDiffBytes, redact = true }: ChangeOptions = {},
): TaskChange {
  const whole: CleanDiff = redact ? cleanDiff(diff) : { ...diff, hidden: [] };
  const { text, leftOut } = fitDiff(whole, { maxBytes });
  const parts = leftOut.length > 0 ? splitDiff(whole, { maxBytes }) : undefined;
  const unread = diff.files.flatMap(({ path, omitted }) => (omitted ? [path] : []));
  const files = diff.files.map(({ path, oldPath, status, added, removed, binary, submodule }) => ({
    path,
    ...(oldPath !== undefined && { oldPath }),
    ...(submodule && { submodule }),
    status,
    added,
    removed,
    binary,
  }));
  return {
    base: diff.base ?? '',
    digest: hashText(JSON.stringify([diff.text, files])),
    files,
    ...(files.length > 0 && !hasVisibleChange(diff.files) && { blank: true }),
    diff: text,
    ...(whole.hidden.length > 0 && { hidden: whole.hidden }),
    ...(unread.length > 0 && { unread }),
    leftOut: leftOut.length,
    ...(leftOut.length > 0 && { totalBytes: bytesOf(whole.text) }),
    ...(parts !== undefined && { parts }),
  };
}

export function diffsOf({ diff, parts }: TaskChange): readonly string[] {
  return parts ?? [diff];
}

export function nothingIn({ files, blank = false }: TaskChange): string | undefined {
  if (files.length === 0) return 'the task changed no file';
  return blank ? 'the task changed no visible content' : undefined;
}

export interface SeenLimits {
  readonly diffBytes?: number | undefined;
  readonly allowUnseen?: readonly string[] | undefined;
}

/** Returns why a pass does not count, if reviewers see only a part of the change. */
export function partOf(
  change: TaskChange | undefined,
  { diffBytes: limit = defaultDiffBytes, allowUnseen }: SeenLimits = {},
): string | undefined {
  if (change === undefined) return undefined;
  const nothing = nothingIn(change);
  if (nothing !== undefined) return nothing;
  const unseen = change.files.filter(
    ({ binary, submodule = false, status }) => (binary || submodule) && status !== 'deleted',
  );
  const { diff, leftOut, totalBytes = 0, unread = [] } = change;
  const hidden =
    unseenReason(
      unseen.map(({ path }) => path),
      allowUnseen,
    ) ??
    unseenReason(unread, allowUnseen, 'it is too large to read') ??
    hiddenReason(change.hidden, allowUnseen);
  if (hidden !== undefined || leftOut <= unread.length || change.parts !== undefined) return hidden;
  const shown = bytesOf(diff);
  return partlyShown({ shown, total: totalBytes, unit: 'bytes', limit: `diffBytes: ${limit}` });
}

export function changedFileLines({ files }: Pick<TaskChange, 'files'>): string {
  return files
    .map(
      ({ path, oldPath, status }) =>
        `- ${oldPath === undefined ? '' : `${oldPath} -> `}${path} (${status})`,
    )
    .join('\n');
}

/** Returns one line for each file and a total, as `git diff --stat` prints them. */
export function summaryLines({ files }: Pick<TaskChange, 'files'>): string {
  const sum = (of: (file: TaskChange['files'][number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const lines = files.map(
    ({ path, added, removed, binary }) =>
      ` ${path} | ${binary ? 'binary' : `+${added} -${removed}`}`,
  );
  return [
    ...lines,
    ` ${files.length} ${files.length === 1 ? 'file' : 'files'} changed, ${sum(({ added }) => added)} insertions(+), ${sum(({ removed }) => removed)} deletions(-)`,
  ].join('\n');
}

/** Reads the change since a commit, as a recorded step of this name. */
export type ReadChange = (
  name: string,
  base: string,
  context: Pick<StepContext, 'step'>,
) => Promise<TaskChange>;

export function changeReader(diff: DiffSource, options: ChangeOptions): ReadChange {
  return (name, base, context) =>
    context.step(
      name,
      { input: { base, source: diff.id }, schema: TaskChangeSchema },
      async ({ signal }) =>
        changeOf(await diff.diff({ kind: 'working-tree', base }, { signal }), options),
    );
}

interface CleanDiff extends Pick<Diff, 'files' | 'text'> {
  /** The added lines that it does not show, as `PATH:LINE`. */
  readonly hidden: readonly string[];
}

export function cleanDiff({ files, text }: Pick<Diff, 'files' | 'text'>): CleanDiff {
  const clean = files.map(cleanFile);
  const hidden = clean.flatMap((file) => file.hidden);
  if (clean.some(({ file }, index) => file !== files[index])) {
    const shown = clean.map(({ file }) => file);
    return { files: shown, text: shown.map(fileText).join(''), hidden };
  }
  if (files.some(({ hunks }) => hunks.length > 0)) return { files, text, hidden };
  const bare = redactSecrets(text);
  return { files, text: bare, hidden: bare === text ? [] : ['the diff'] };
}

/** The same file if it has no secrets. */
function cleanFile(file: DiffFile): {
  readonly file: DiffFile;
  readonly hidden: readonly string[];
} {
  const parts = file.hunks.map((hunk) => cleanHunk(file.path, hunk));
  const hunks = parts.map(({ part }) => part);
  const header = redactSecrets(file.header);
  const isSame = header === file.header && hunks.every((hunk, index) => hunk === file.hunks[index]);
  return {
    file: isSame ? file : { ...file, header, hunks },
    hidden: parts.flatMap(({ hidden }) => hidden),
  };
}

function cleanHunk(
  path: string,
  hunk: DiffHunk,
): { readonly part: DiffHunk; readonly hidden: readonly string[] } {
  const bare = hideSecrets(
    path,
    hunk.lines.map((line) => line.slice(1)),
  );
  if (bare.hidden.length === 0) return { part: hunk, hidden: [] };
  let next = hunk.newStart;
  const numbers = hunk.lines.map((line) => (/^[ +]/.test(line) ? next++ : next));
  const lines = bare.lines.map((text, index) => `${hunk.lines[index]?.[0] ?? ''}${text}`);
  const added = bare.hidden.filter((index) => hunk.lines[index]?.startsWith('+'));
  return { part: { ...hunk, lines }, hidden: added.map((index) => `${path}:${numbers[index]}`) };
}
