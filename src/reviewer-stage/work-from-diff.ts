import { ReviewLoopError } from '../core/errors.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import type { Diff, DiffFile, DiffStatus } from '../diff/diff-source.js';
import { diffErrors } from '../diff/errors.js';
import type { FileSource } from '../diff/file-source.js';
import { fitDiff } from '../diff/fit-diff.js';
import { nodeErrors } from '../node/errors.js';
import { cachedCounter } from '../ports/cached-counter.js';
import { estimatedTokens, type TokenCounter } from '../ports/token-counter.js';
import { redactJsonAsync } from '../redact/redact-json-async.js';
import { redactSecretsAsync } from '../redact/redact-with-secretlint.js';
import { type ChangedFile, type CompletedWork, CompletedWorkSchema } from './completed-work.js';
import { secretLines } from './dimensions/safety-findings.js';
import { type SampleBounds, samplesOf } from './samples-of.js';

/** What a diff does not know of the work that made it, and how much of it is taken along. */
export interface WorkFromDiffOptions
  extends Pick<CompletedWork, 'sessionId' | 'request' | 'acceptanceCriteria' | 'plan' | 'notes'> {
  /** @default none */
  readonly executionResults?: CompletedWork['executionResults'] | undefined;
  /** @default none */
  readonly verificationResults?: CompletedWork['verificationResults'] | undefined;
  /** Reads the changed files whole, and their neighbours. @default the diff is all that is shown */
  readonly files?: FileSource | undefined;
  /** Of one file. What is larger is not judged, and so not approved. @default 60000 */
  readonly maxFileTokens?: number | undefined;
  /** Of all files. @default 1000000 */
  readonly maxTokens?: number | undefined;
  /** The paths of files that may be judged in part. @default none */
  readonly allowTruncated?: readonly string[] | undefined;
  /** How much of the neighbours that did not change is shown. @default 4 files of at most 2000 tokens each */
  readonly samples?: Partial<SampleBounds> | undefined;
  /** Whether secrets are taken out of every text; where they stood in the changes is told to the safety dimension. @default true */
  readonly redact?: boolean | undefined;
  /** @default an estimate */
  readonly tokens?: TokenCounter | undefined;
  readonly signal?: AbortSignal | undefined;
}

const optionNames = [
  ...[
    'sessionId',
    'request',
    'acceptanceCriteria',
    'plan',
    'notes',
    'executionResults',
    'verificationResults',
    'files',
    'maxFileTokens',
    'maxTokens',
    'allowTruncated',
    'samples',
  ],
  ...['redact', 'tokens', 'signal'],
];

interface Settings extends Pick<WorkFromDiffOptions, 'files' | 'signal'> {
  readonly maxFileTokens: number;
  readonly allowTruncated: readonly string[];
  readonly redact: boolean;
  readonly tokens: TokenCounter;
}

/** So that a source can read several at a time, and no more than these are held beyond a bound. */
const filesAtOnce = 32;

/**
 * The finished work that a diff shows, for a reviewer stage: every changed file with its content and diff where it has text, by name
 * where it has none, and samples of neighbouring files. A file that is larger than its bound makes the work one that cannot be
 * approved, unless `allowTruncated` names it.
 *
 * @throws ReviewLoopError `no_artifacts` when there is nothing to review, `diff_too_large`, `task_invalid`, `invalid_options`
 * @example
 * ```ts
 * const diff = await gitDiff().diff({ kind: 'staged' });
 * const work = await workFromDiff(diff, { sessionId: 'abc123', request: 'Add email validation', files: gitFiles(diff) });
 * ```
 */
export async function workFromDiff(
  diff: Diff,
  options: WorkFromDiffOptions,
): Promise<CompletedWork> {
  checkOptions(options);
  const {
    files,
    signal,
    maxTokens = 1_000_000,
    maxFileTokens = 60_000,
    allowTruncated = [],
    redact = true,
    tokens = estimatedTokens,
  } = options;
  const settings: Settings = {
    files,
    signal,
    maxFileTokens,
    allowTruncated,
    redact,
    tokens: cachedCounter(tokens),
  };
  checkReviewable(diff);
  const changedFiles = await changedFilesOf(diff, settings, maxTokens);
  const clean = (text: string): Promise<string> =>
    redact ? redactSecretsAsync(text) : Promise.resolve(text);
  const samples =
    files === undefined
      ? []
      : await samplesOf(diff.files, files, {
          files: 4,
          tokens: 2000,
          ...options.samples,
          counter: tokens,
          clean,
          signal,
        });
  const {
    sessionId,
    request,
    acceptanceCriteria,
    plan,
    notes,
    executionResults = [],
    verificationResults = [],
  } = options;
  const told = {
    request,
    executionResults,
    verificationResults,
    ...(acceptanceCriteria && { acceptanceCriteria }),
    ...(plan !== undefined && { plan }),
    ...(notes && { notes }),
  };
  const work = {
    ...(redact ? await redactJsonAsync(told) : told),
    ...{ sessionId, changedFiles, base: diff.base, head: diff.head },
    ...(samples.length > 0 && { samples }),
  };
  const parsed = CompletedWorkSchema.safeParse(work);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    'task_invalid',
    `the completed work was refused: ${parsed.error.message}`,
    { cause: parsed.error },
  );
}

function checkOptions(options: WorkFromDiffOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('workFromDiff', options, optionNames);
  const { maxFileTokens, maxTokens, allowTruncated = [], samples = {} } = options;
  checkPositive('maxFileTokens', maxFileTokens);
  checkPositive('maxTokens', maxTokens);
  if (!Array.isArray(allowTruncated) || allowTruncated.some((path) => typeof path !== 'string'))
    throw invalid('allowTruncated', 'the paths of files', allowTruncated);
  checkKeys('samples', samples, ['files', 'tokens']);
  for (const name of ['files', 'tokens'] as const)
    if (samples[name] !== undefined) checkWhole(`samples.${name}`, samples[name], 0);
}

/** An empty diff, or one without any text, is never approved. */
function checkReviewable({ files, base, head }: Diff): void {
  const what = `between ${base.slice(0, 12)} and ${head.slice(0, 12)}`;
  if (files.length === 0)
    throw new ReviewLoopError(
      nodeErrors.no_artifacts,
      `nothing to review: nothing changed ${what}`,
    );
  if (files.some(({ binary, submodule }) => !binary && !submodule)) return;
  const named = files.slice(0, 5).map(({ path }) => path);
  throw new ReviewLoopError(
    nodeErrors.no_artifacts,
    `nothing to review: no text changed ${what}, only ${named.join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`,
  );
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

async function changedFile(file: DiffFile, settings: Settings): Promise<ChangedFile> {
  const { path, oldPath, status, added, removed } = file;
  const named = {
    path,
    status: kinds[status],
    added,
    removed,
    ...(oldPath !== undefined && { oldPath }),
  };
  if (file.binary) return { ...named, omitted: 'binary' };
  if (file.submodule) return { ...named, omitted: 'submodule' };
  if (status === 'unmerged') return { ...named, omitted: 'unmerged' };
  const shown = await shownOf(file, settings);
  if (!settings.redact) return { ...named, ...shown };
  return { ...named, ...(await redacted({ ...named, ...shown })) };
}

async function changedFilesOf(
  { files }: Diff,
  settings: Settings,
  maxTokens: number,
): Promise<ChangedFile[]> {
  const changed: ChangedFile[] = [];
  let used = 0;
  for (let from = 0; from < files.length; from += filesAtOnce) {
    settings.signal?.throwIfAborted();
    const read = await Promise.all(
      files.slice(from, from + filesAtOnce).map((file) => changedFile(file, settings)),
    );
    for (const { content = '', diff = '' } of read)
      used += (await settings.tokens.count(content)) + (await settings.tokens.count(diff));
    if (used > maxTokens)
      throw new ReviewLoopError(
        diffErrors.diff_too_large,
        `the changes have more than ${maxTokens} tokens; review fewer of them at a time`,
        { value: files.length },
      );
    changed.push(...read);
  }
  return changed;
}

type Shown = Pick<ChangedFile, 'content' | 'diff' | 'omitted'>;

/** Content and diff, each within the bound. */
async function shownOf(
  file: DiffFile,
  { files, signal, maxFileTokens, allowTruncated, tokens }: Settings,
): Promise<Shown> {
  const { path, status, header, hunks, newMode, omitted } = file;
  const fits = async (text: string): Promise<boolean> =>
    (await tokens.count(text)) <= maxFileTokens;
  const diff = `${header}${hunks.map((hunk) => `${[hunk.header, ...hunk.lines].join('\n')}\n`).join('')}`;
  const isLink = newMode === '120000';
  const content =
    status === 'deleted' || isLink || files === undefined
      ? undefined
      : await files.read(path, { signal });
  if (content !== undefined && status === 'new' && newMode === '100644' && (await fits(content)))
    return { content };
  if (omitted || !(await fits(diff))) {
    if (!allowTruncated.includes(path)) return { omitted: 'too_large' };
    return {
      diff: fitDiff(
        { files: [file], text: omitted ? '' : diff },
        { maxBytes: Math.max(200, maxFileTokens * 3) },
      ).text,
      omitted: 'cut',
    };
  }
  if (content === undefined) return { diff };
  return (await fits(content)) ? { content, diff } : { diff, omitted: 'content' };
}

/** The file without secrets, and where they stood. */
async function redacted(
  file: ChangedFile,
): Promise<Pick<ChangedFile, 'content' | 'diff' | 'omitted' | 'secrets'>> {
  const { content, diff, omitted } = file;
  const secrets = secretLines(file);
  return {
    ...(content !== undefined && { content: await redactSecretsAsync(content) }),
    ...(diff !== undefined && { diff: await redactSecretsAsync(diff) }),
    ...(omitted !== undefined && { omitted }),
    ...(secrets.length > 0 && { secrets }),
  };
}
