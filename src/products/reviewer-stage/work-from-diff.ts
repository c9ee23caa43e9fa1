import type { Diff, DiffFile, FileSource } from '../../core/diff/diff-source.js';
import { ReviewLoopError } from '../../core/errors.js';
import {
  checkPositive,
  checkTable,
  elsewhere,
  fits,
  nested,
  type OptionTable,
  required,
  whole,
  withDefaults,
} from '../../core/options.js';
import { checkEndings } from '../../core/partial-view.js';
import { shortList } from '../../core/plural.js';
import { type AllowedSecret, checkAllowedSecrets } from '../../core/redact/allowed-secrets.js';
import { redactJsonAsync, redactSecretsAsync } from '../../core/redact/redact-with-secretlint.js';
import { nodeErrors } from '../../node/errors.js';
import { cachedCounter, estimatedTokens, type TokenCounter } from '../../ports/token-counter.js';
import { changedFilesOf } from './changed-files.js';
import { type CompletedWork, parseWork } from './completed-work.js';

/** Options of {@link workFromDiff}: limits, and facts that a diff does not contain. */
export interface WorkFromDiffOptions
  extends Pick<CompletedWork, 'sessionId' | 'request' | 'acceptanceCriteria' | 'plan' | 'notes'> {
  /** The executed steps. @default [] */
  readonly executionResults?: CompletedWork['executionResults'] | undefined;
  /** Results of tests, linters and type checks. @default [] */
  readonly verificationResults?: CompletedWork['verificationResults'] | undefined;
  /** Reads whole files and their neighbours. @default none: judges see only the diff */
  readonly files?: FileSource | undefined;
  /** The limit of one file, in tokens above 0. A larger file prevents approval. @default 60000 */
  readonly maxFileTokens?: number | undefined;
  /** The limit of all files together, in tokens above 0. @default 1000000 */
  readonly maxTokens?: number | undefined;
  /** Paths of files that may be judged in part. @default [] */
  readonly allowTruncated?: readonly string[] | undefined;
  /**
   * Endings of paths, such as `.png`, of binary files and submodules that may be approved although
   * no judge sees them.
   *
   * @default []
   */
  readonly allowUnseen?: readonly string[] | undefined;
  /** The limits of the unchanged neighbours that judges see. @default { files: 4, tokens: 2000 } */
  readonly samples?: Partial<SampleBounds> | undefined;
  /** Whether to remove secrets. The safety dimension sees their redacted lines. @default true */
  readonly redact?: boolean | undefined;
  /** Lines that look like secrets and are allowed. Paths are those of the diff. @default [] */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
  /** Counts tokens. @default estimatedTokens */
  readonly tokens?: TokenCounter | undefined;
  /** Cancels reading. @default none */
  readonly signal?: AbortSignal | undefined;
}

const table: OptionTable<WorkFromDiffOptions> = {
  ...{ sessionId: required(elsewhere()), request: required(elsewhere()), plan: elsewhere() },
  ...{ acceptanceCriteria: elsewhere(), notes: elsewhere(), executionResults: elsewhere() },
  ...{ verificationResults: elsewhere(), files: elsewhere(), redact: elsewhere() },
  ...{ tokens: elsewhere(), signal: elsewhere() },
  allowedSecrets: (_, value) => checkAllowedSecrets(value),
  ...{ maxFileTokens: checkPositive, maxTokens: checkPositive },
  allowTruncated: fits(
    'a list of file paths',
    (value) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
  ),
  allowUnseen: (_, value) => checkEndings(value),
  samples: nested<Partial<SampleBounds>>({ files: whole(0), tokens: whole(0) }),
};

const defaults = {
  ...{ maxTokens: 1_000_000, maxFileTokens: 60_000, redact: true, tokens: estimatedTokens },
  ...{ allowTruncated: [], allowUnseen: [], allowedSecrets: [] },
};

/**
 * Creates the {@link CompletedWork} of a diff: every changed file with content and diff, binary
 * files by name, and samples of neighbouring files. A file above `maxFileTokens` prevents approval,
 * unless `allowTruncated` names it.
 *
 * @throws ReviewLoopError `no_artifacts` for a diff without text, `diff_too_large`, `task_invalid`,
 *   `invalid_options`
 * @example
 * ```ts
 * const diff = await gitDiff().diff({ kind: 'staged' });
 * const files = gitFiles(diff);
 * const work = await workFromDiff(diff, { sessionId: 'abc123', request: 'Add validation', files });
 * ```
 */
export async function workFromDiff(
  diff: Diff,
  options: WorkFromDiffOptions,
): Promise<CompletedWork> {
  checkTable('workFromDiff', table, options);
  checkReviewable(diff);
  const limits = withDefaults(options, defaults);
  const { redact, files, signal } = limits;
  const tokens = cachedCounter(limits.tokens);
  const changedFiles = await changedFilesOf(diff, { ...limits, files, signal, tokens });
  const samples = await samplesFor(diff, options);
  const facts = factsOf(options);
  return parseWork({
    ...(redact ? await redactJsonAsync(facts) : facts),
    sessionId: options.sessionId,
    changedFiles,
    base: diff.base,
    head: diff.head,
    ...(samples.length > 0 && { samples }),
  });
}

function factsOf({
  request,
  acceptanceCriteria,
  plan,
  notes,
  executionResults = [],
  verificationResults = [],
}: WorkFromDiffOptions): Omit<CompletedWork, 'sessionId' | 'changedFiles'> {
  return {
    request,
    executionResults,
    verificationResults,
    ...(acceptanceCriteria && { acceptanceCriteria }),
    ...(plan !== undefined && { plan }),
    ...(notes && { notes }),
  };
}

async function samplesFor(
  diff: Diff,
  { files, samples = {}, redact = true, tokens = estimatedTokens, signal }: WorkFromDiffOptions,
): Promise<NonNullable<CompletedWork['samples']>> {
  if (files === undefined) return [];
  const clean = async (text: string): Promise<string> => (redact ? redactSecretsAsync(text) : text);
  const bounds = { files: 4, tokens: 2000, ...samples };
  return neighbourSamples(diff.files, files, { ...bounds, counter: tokens, clean, signal });
}

function checkReviewable({ files, base, head }: Diff): void {
  const range = `between ${base.slice(0, 12)} and ${head.slice(0, 12)}`;
  if (files.length === 0)
    throw new ReviewLoopError(nodeErrors.no_artifacts, `nothing to review: no changes ${range}`);
  if (files.some(({ binary, submodule }) => !binary && !submodule)) return;
  const paths = files.map(({ path }) => path);
  throw new ReviewLoopError(
    nodeErrors.no_artifacts,
    `nothing to review: no text changed ${range}, only ${shortList(paths, 5)}`,
  );
}

interface SampleBounds {
  /** The number of files; a whole number from 0. */
  readonly files: number;
  /** The tokens of each file. A larger file is cut after a line and marked. */
  readonly tokens: number;
}

interface SamplingOptions extends SampleBounds {
  readonly counter: TokenCounter;
  readonly clean: (text: string) => Promise<string>;
  readonly signal: AbortSignal | undefined;
}

/** So many files are read in each folder. Binary files do not count as samples. */
const maxTries = 20;

const maxFolders = 50;

/**
 * They are from the folders of the changed files, with the same extension. The changed files take
 * turns until enough samples are found.
 */
export async function neighbourSamples(
  changed: readonly DiffFile[],
  source: FileSource,
  options: SamplingOptions,
): Promise<NonNullable<CompletedWork['samples']>> {
  const { files, signal } = options;
  const taken = new Set(changed.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const kinds = [
    ...new Set(
      changed
        .filter(({ binary, submodule, status }) => !binary && !submodule && status !== 'deleted')
        .map(({ path }) => `${folderOf(path)}\0${extensionOf(path)}`),
    ),
  ];
  const listed = new Map<string, Promise<readonly string[]>>();
  const queueOf = async (kind: string): Promise<readonly string[]> => {
    const [folder = '', extension = ''] = kind.split('\0');
    if (extension === '') return [];
    const names = listed.get(folder) ?? source.list(folder, { signal });
    listed.set(folder, names);
    return [...(await names)]
      .filter((path) => !taken.has(path) && extensionOf(path) === extension)
      .sort();
  };
  const samples: { path: string; content: string }[] = [];
  for await (const path of takeTurns(kinds.slice(0, files === 0 ? 0 : maxFolders), queueOf)) {
    const content = await source.read(path, { signal });
    if (content !== undefined && content.trim() !== '')
      samples.push({ path, content: await truncated(await options.clean(content), options) });
    if (samples.length >= files) break;
  }
  return samples;
}

/** The first path of each queue, then the second of each, and so on. Loads a queue on its turn. */
async function* takeTurns(
  kinds: readonly string[],
  queueOf: (kind: string) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  const queues: (readonly string[])[] = [];
  for (let turn = 0; turn < maxTries; turn += 1) {
    for (const [index, kind] of kinds.entries()) {
      const queue = queues[index] ?? (await queueOf(kind));
      queues[index] = queue;
      const path = queue[turn];
      if (path !== undefined) yield path;
    }
  }
}

async function truncated(text: string, { tokens, counter }: SamplingOptions): Promise<string> {
  const size = await counter.count(text);
  if (size <= tokens) return text;
  const kept = text.slice(0, Math.floor((text.length * tokens) / size));
  const whole = kept.slice(0, Math.max(kept.lastIndexOf('\n'), 0) || kept.length);
  return `${whole}\n[${text.length - whole.length} characters left out]`;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.')) : '';
}
