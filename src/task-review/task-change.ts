import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { hashText } from '../core/hash.js';
import type { Diff } from '../diff/diff-source.js';
import { fitDiff } from '../diff/fit-diff.js';
import { redactSecrets } from '../redact/secrets.js';

const ChangedFileSchema = builtOnUse(() =>
  z.object({
    path: z.string(),
    oldPath: z.string().optional(),
    status: z.string(),
    added: z.int(),
    removed: z.int(),
    binary: z.boolean(),
  }),
);

/** What a task changed, as it is kept with its version and shown to reviewers. */
export const TaskChangeSchema = builtOnUse(() =>
  z.object({
    /** The commit that it is compared with, recorded before the work began. */
    base: z.string(),
    /** Of the whole diff, so that a change beyond what is shown is a change too. */
    digest: z.string(),
    files: z.array(ChangedFileSchema).readonly(),
    /** The diff within its bound, secrets taken out. */
    diff: z.string(),
    /** How many files of it are not shown whole. */
    leftOut: z.int(),
  }),
);
/** What a task changed, as it is kept with its version and shown to reviewers. */
export type TaskChange = z.infer<typeof TaskChangeSchema>;

/** How a diff is shown. */
export interface ChangeOptions {
  /** In UTF-8. @default 30000 */
  readonly maxBytes?: number | undefined;
  /** Whether what looks like a secret is taken out. @default true */
  readonly redact?: boolean | undefined;
}

/** What of a diff is kept: every name and count, and as much of the hunks as fits. */
export function changeOf(
  diff: Pick<Diff, 'files' | 'text'> & { readonly base?: string | undefined },
  { maxBytes = 30_000, redact = true }: ChangeOptions = {},
): TaskChange {
  const { text, leftOut } = fitDiff(redact ? redacted(diff) : diff, { maxBytes });
  const files = diff.files.map(({ path, oldPath, status, added, removed, binary }) => ({
    path,
    ...(oldPath !== undefined && { oldPath }),
    status,
    added,
    removed,
    binary,
  }));
  return {
    base: diff.base ?? '',
    digest: hashText(JSON.stringify([diff.text, files])),
    files,
    diff: text,
    leftOut: leftOut.length,
  };
}

function redacted({ files, text }: Pick<Diff, 'files' | 'text'>): Pick<Diff, 'files' | 'text'> {
  const clean = redactSecrets(text);
  if (clean === text) return { files, text };
  const hunksOf = (file: Diff['files'][number]): Diff['files'][number] => ({
    ...file,
    hunks: file.hunks.map((hunk) => ({
      ...hunk,
      lines: redactSecrets(hunk.lines.join('\n')).split('\n'),
    })),
  });
  return { files: files.map(hunksOf), text: clean };
}

/** One line for each changed file. */
export function changedFileLines({ files }: Pick<TaskChange, 'files'>): string {
  return files
    .map(
      ({ path, oldPath, status }) =>
        `- ${oldPath === undefined ? '' : `${oldPath} -> `}${path} (${status})`,
    )
    .join('\n');
}

/** What `git diff --stat` says in its last line, after a line for each file. */
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
