import type { Diff, DiffFile, DiffStatus, FileSource } from '../../core/diff/diff-source.js';
import { fileText } from '../../core/diff/diff-text.js';
import { diffErrors } from '../../core/diff/errors.js';
import { fitDiff } from '../../core/diff/fit-diff.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { AllowedSecret } from '../../core/redact/allowed-secrets.js';
import { hideSecretsAsync } from '../../core/redact/redact-with-secretlint.js';
import { cutAroundSecrets } from '../../core/redact/secrets.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import type { ChangedFile } from './completed-work.js';
import { addedLines, allowedLines, linesOfSecret, secretLines } from './dimensions/secret-lines.js';

export interface ChangedFilesOptions {
  /** Reads whole files. Without it, judges see only the diff. */
  readonly files: FileSource | undefined;
  readonly signal: AbortSignal | undefined;
  readonly maxFileTokens: number;
  readonly maxTokens: number;
  /** Paths of files that may be cut to their limit. */
  readonly allowTruncated: readonly string[];
  /** Endings of paths of binary files and submodules that may be approved unseen. */
  readonly allowUnseen: readonly string[];
  readonly redact: boolean;
  readonly tokens: TokenCounter;
  readonly allowedSecrets: readonly AllowedSecret[];
}

/** The number of files read concurrently, and so the maximum number read beyond `maxTokens`. */
const filesAtOnce = 32;

export async function changedFilesOf(
  { files }: Diff,
  options: ChangedFilesOptions,
): Promise<ChangedFile[]> {
  const { maxTokens, signal, tokens } = options;
  const changed: ChangedFile[] = [];
  let used = 0;
  for (let start = 0; start < files.length; start += filesAtOnce) {
    signal?.throwIfAborted();
    const read = await Promise.all(
      files.slice(start, start + filesAtOnce).map((file) => changedFile(file, options)),
    );
    for (const { content = '', diff = '' } of read)
      used += (await tokens.count(content)) + (await tokens.count(diff));
    if (used > maxTokens)
      throw new ReviewLoopError(
        diffErrors.diff_too_large,
        `the changes exceed ${maxTokens} tokens (\`maxTokens\`); review fewer files at a time`,
        { value: files.length },
      );
    changed.push(...read);
  }
  return changed;
}

const kinds: Readonly<Record<DiffStatus, ChangedFile['status']>> = {
  new: 'new',
  modified: 'modified',
  deleted: 'deleted',
  renamed: 'renamed',
  copied: 'new',
  type_changed: 'modified',
  mode_changed: 'modified',
  unmerged: 'modified',
};

async function changedFile(file: DiffFile, options: ChangedFilesOptions): Promise<ChangedFile> {
  const { path, oldPath, status, added, removed } = file;
  const named = {
    path,
    status: kinds[status],
    added,
    removed,
    ...(oldPath !== undefined && { oldPath }),
    ...(options.allowUnseen.some((ending) => path.endsWith(ending)) && { mayBeUnseen: true }),
  };
  if (file.binary) return { ...named, omitted: 'binary' };
  if (file.submodule) return { ...named, omitted: 'submodule' };
  if (status === 'unmerged') return { ...named, omitted: 'unmerged' };
  const read = { ...named, ...(await textsOf(file, options)) };
  const allowed = allowedLines(read, options.allowedSecrets);
  const whole = { ...read, ...(allowed.length > 0 && { allowedSecrets: allowed }) };
  return options.redact ? redactedFile(whole) : whole;
}

async function textsOf(
  file: DiffFile,
  { files, signal, maxFileTokens, allowTruncated, tokens }: ChangedFilesOptions,
): Promise<Pick<ChangedFile, 'content' | 'diff' | 'omitted'>> {
  const { path, status, newMode, omitted } = file;
  const fits = async (text: string): Promise<boolean> =>
    (await tokens.count(text)) <= maxFileTokens;
  const diff = fileText(file);
  const isLink = newMode === '120000';
  const content =
    status === 'deleted' || isLink || files === undefined
      ? undefined
      : await files.read(path, { signal });
  if (content !== undefined && status === 'new' && newMode === '100644' && (await fits(content)))
    return { content };
  if (omitted || !(await fits(diff))) {
    if (!allowTruncated.includes(path)) return { omitted: 'too_large' };
    const maxBytes = Math.max(200, maxFileTokens * 3);
    const { text } = fitDiff({ files: [file], text: omitted ? '' : diff }, { maxBytes });
    return { diff: text, omitted: 'cut' };
  }
  if (content === undefined) return { diff };
  return (await fits(content)) ? { content, diff } : { diff, omitted: 'content' };
}

/**
 * What judges do not see is not reviewed, so each added line that is hidden and not allowed counts
 * as a secret.
 */
async function redactedFile(file: ChangedFile): Promise<ChangedFile> {
  const { path, content, diff } = file;
  const clean = {
    ...file,
    ...(content !== undefined && { content: await withoutSecrets(path, content, 0) }),
    ...(diff !== undefined && { diff: await withoutSecrets(path, diff, 1) }),
  };
  const secrets = secretLines(file);
  const known = new Set(
    [...secrets, ...(file.allowedSecrets ?? [])].flatMap(({ line }) => linesOfSecret(file, line)),
  );
  const before = addedLines(file);
  for (const [index, { line, text }] of addedLines(clean).entries())
    if (text !== before[index]?.text && !known.has(line))
      secrets.push({ line, text: cutAroundSecrets(text.trim(), 200) });
  return { ...clean, ...(secrets.length > 0 && { secrets }) };
}

/** @param prefix - The number of characters before the text of each line. */
async function withoutSecrets(path: string, text: string, prefix: 0 | 1): Promise<string> {
  const lines = text.split('\n');
  const bare = await hideSecretsAsync(
    path,
    lines.map((line) => line.slice(prefix)),
  );
  return bare.lines
    .map((line, index) => `${lines[index]?.slice(0, prefix) ?? ''}${line}`)
    .join('\n');
}
