import type { Diff, DiffFile, DiffRequest, DiffSource } from '../../core/diff/diff-source.js';
import { diffErrors } from '../../core/diff/errors.js';
import { parseSection } from '../../core/diff/parse-diff.js';
import { ReviewLoopError } from '../../core/errors.js';
import { mapBounded } from '../../core/map-bounded.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../../core/options.js';
import { isThere } from '../files.js';
import { type ChangedFile, changedFiles } from './changed-files.js';
import { gitErrors } from './errors.js';
import { type GitPlace, gitError, gitFields, nameText, runGit } from './git-command.js';
import { DiffOutput } from './patch-sections.js';
import { withScratchIndex } from './plain-index.js';
import {
  commitOf,
  headOf,
  mergeBaseOf,
  type Repository,
  repositoryAt,
  repositorySettings,
} from './repository.js';

export interface GitDiffOptions {
  /** A folder in the repository. @default the working directory */
  readonly cwd?: string | undefined;
  /** Files and folders to diff, relative to `cwd`; no patterns. @default the whole repository */
  readonly paths?: readonly string[] | undefined;
  /**
   * The largest size of all hunks, in bytes; from 0. Further files have only names and counts.
   *
   * @default 16777216
   */
  readonly maxBytes?: number | undefined;
  /** The number of lines around a change; from 0. @default 3 */
  readonly contextLines?: number | undefined;
  /** The timeout of one diff, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

interface Comparison {
  readonly base: string;
  readonly head: string;
  readonly sides: readonly string[];
}

/**
 * Creates a source of diffs that runs the installed `git`. It never runs programs of the
 * repository's settings, such as hooks, filters and external diffs. Files under filters, such as
 * those of git-lfs, therefore appear as they are on disk.
 *
 * @throws ReviewLoopError `invalid_options`; methods reject with `not_a_repository`,
 *   `revision_unknown`, `git_failed`, `diff_too_large`, `process_not_found`, `process_timeout`,
 *   `cancelled`
 * @example
 * ```ts
 * const source = gitDiff({ cwd: 'my-project' });
 * const base = await source.head(); // recorded before the work begins
 * const diff = await source.diff({ kind: 'working-tree', base });
 * ```
 */
export function gitDiff(options: GitDiffOptions = {}): DiffSource {
  checkKeys('gitDiff', options, ['cwd', 'paths', 'maxBytes', 'contextLines', 'timeoutMs']);
  const {
    cwd = '.',
    paths = [],
    maxBytes = 16 * 2 ** 20,
    contextLines = 3,
    timeoutMs = 60_000,
  } = options;
  if (typeof cwd !== 'string' || cwd === '') throw invalid('cwd', 'a non-empty string', cwd);
  if (!Array.isArray(paths) || paths.some((path) => typeof path !== 'string' || path === ''))
    throw invalid('paths', 'non-empty strings', paths);
  checkWhole('maxBytes', maxBytes, 0);
  checkWhole('contextLines', contextLines, 0);
  checkPositive('timeoutMs', timeoutMs);
  const isChanged = async (folder: string): Promise<boolean> => {
    const { files } = await gitDiff({ cwd: folder, timeoutMs }).diff({ kind: 'working-tree' });
    return files.length > 0;
  };
  return {
    id: 'git',
    head: async ({ signal } = {}) => {
      const place = { cwd, timeoutMs, signal };
      const { emptyTree } = await repositoryAt(place);
      return (await headOf(place)) ?? emptyTree;
    },
    diff: async (request, { signal } = {}) => {
      const plain: GitPlace = { cwd, timeoutMs, signal };
      const repository = await repositoryAt(plain);
      const [comparison, settings] = await Promise.all([
        comparisonOf(request, repository, plain),
        repositorySettings(repository, plain),
      ]);
      const place = { ...plain, settings };
      const reading = { paths, maxBytes, contextLines };
      if (request.kind !== 'working-tree') return compare(comparison, place, reading);
      return withScratchIndex(repository, place, async (index) => {
        const diff = await compare(comparison, index.place, reading);
        if (!index.mayNest) return diff;
        const known = new Set(diff.files.map(({ path }) => path));
        const { top } = repository;
        const others = await otherRepositories(index.place, { top, paths, known, isChanged });
        return { ...diff, files: [...diff.files, ...others] };
      });
    },
  };
}

async function comparisonOf(
  request: DiffRequest,
  { emptyTree }: Repository,
  place: GitPlace,
): Promise<Comparison> {
  switch (request?.kind) {
    case 'range': {
      const { base, head } = await endsOf(request.range, emptyTree, place);
      return { base, head, sides: [base, head] };
    }
    case 'staged': {
      const base = (await headOf(place)) ?? emptyTree;
      return { base, head: 'staged', sides: ['--cached', base] };
    }
    case 'working-tree': {
      const base =
        request.base === undefined
          ? ((await headOf(place)) ?? emptyTree)
          : await baseOf(request.base, emptyTree, place);
      return { base, head: 'working-tree', sides: [base] };
    }
    default:
      throw invalid(
        'request.kind',
        "'range', 'staged' or 'working-tree'",
        (request as { kind?: unknown } | undefined)?.kind,
      );
  }
}

async function baseOf(revision: string, emptyTree: string, place: GitPlace): Promise<string> {
  return revision === emptyTree ? revision : commitOf(revision, place);
}

/** Returns the commits of `A..B` or `A...B`; a missing side is HEAD. */
async function endsOf(
  range: string,
  emptyTree: string,
  place: GitPlace,
): Promise<{ readonly base: string; readonly head: string }> {
  if (typeof range !== 'string') throw invalid('request.range', 'a text', range);
  const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/s.exec(range) ?? [];
  if (left === undefined || right === undefined || (left === '' && right === ''))
    throw new ReviewLoopError(
      gitErrors.revision_unknown,
      `expected a range A..B or A...B, got ${JSON.stringify(range.slice(0, 200))}`,
      { value: range },
    );
  const from =
    dots === '..'
      ? await baseOf(left || 'HEAD', emptyTree, place)
      : await commitOf(left || 'HEAD', place);
  const head = await commitOf(right || 'HEAD', place);
  return { base: dots === '...' ? await mergeBaseOf(from, head, place) : from, head };
}

interface Reading {
  readonly paths: readonly string[];
  readonly maxBytes: number;
  readonly contextLines: number;
}

export async function compare(
  { base, head, sides }: Comparison,
  place: GitPlace,
  { paths, maxBytes, contextLines }: Reading,
): Promise<Diff> {
  const args = [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '-M',
    '-C',
    // git would read a dirty submodule with that submodule's settings
    '--ignore-submodules=dirty',
    '--submodule=short',
    '--no-relative',
    ...['--raw', '--no-abbrev', '--numstat', '-z'],
    ...['-p', '--src-prefix=a/', '--dst-prefix=b/'],
    `--unified=${contextLines}`,
    ...sides,
    '--',
    ...paths,
  ];
  const output = new DiffOutput(maxBytes);
  const result = await runGit(args, { ...place, onOutput: (chunk) => output.push(chunk) });
  if (result.exitCode !== 0) throw gitError(args, place, result);
  const { list } = output;
  if (list === undefined)
    throw new ReviewLoopError(
      diffErrors.diff_too_large,
      `too many files changed between ${base} and ${head}; name fewer paths`,
      { value: sides },
    );
  const parts = output.finish();
  return {
    base,
    head,
    files: await joined(changedFiles(list), parts),
    text: parts.filter((part) => part !== undefined).join(''),
  };
}

/**
 * Git prints files and hunks in the same order. A file that became a link has two parts; a file in
 * conflict may have none.
 */
async function joined(
  files: readonly ChangedFile[],
  parts: readonly (string | undefined)[],
): Promise<DiffFile[]> {
  const whole: DiffFile[] = [];
  let at = 0;
  const left = (): number => parts.length - at;
  for (const [index, file] of files.entries()) {
    const later = files
      .slice(index + 1)
      .reduce(
        (sum, { status }) => sum + (status === 'type_changed' ? 2 : status === 'unmerged' ? 0 : 1),
        0,
      );
    const count =
      file.status === 'unmerged'
        ? Math.min(1, Math.max(0, left() - later))
        : file.status === 'type_changed'
          ? 2
          : 1;
    const own = parts.slice(at, at + count);
    at += count;
    const read = (
      await Promise.all(own.map(async (part) => (part === undefined ? [] : parseSection(part))))
    ).flat();
    const header = read.map((part) => part.header).join('');
    whole.push({
      ...file,
      header,
      hunks: read.flatMap(({ hunks }) => hunks),
      binary: file.binary || read.some(({ binary }) => binary),
      omitted: own.includes(undefined),
    });
  }
  return whole;
}

export interface OtherRepositoriesOptions {
  readonly top: string;
  readonly paths: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly isChanged: (folder: string) => Promise<boolean>;
}

/**
 * Returns the repositories inside a working tree of whose changes a diff shows nothing: new ones
 * without a commit, and submodules with uncommitted changes.
 *
 * @param place - Its index contains the untracked files.
 */
async function otherRepositories(
  place: GitPlace,
  { top, paths, known, isChanged }: OtherRepositoriesOptions,
): Promise<DiffFile[]> {
  const here = paths.length === 0 ? { ...place, cwd: top } : place;
  const list = (...args: string[]): Promise<string[]> =>
    gitFields(['ls-files', '-z', '--full-name', ...args, '--', ...paths], here);
  const others = await list('--others', '--exclude-standard');
  const found = others.flatMap((name) =>
    name.endsWith('/') ? [otherRepository(nameText(name.slice(0, -1)), 'new')] : [],
  );
  const links = (await list('--stage')).flatMap((entry) => {
    const [, name] = /^160000 \S+ \d\t([\s\S]*)$/.exec(entry) ?? [];
    return name === undefined || known.has(nameText(name)) ? [] : [nameText(name)];
  });
  await mapBounded(links, 4, async (path) => {
    const folder = `${top}/${path}`;
    if ((await isThere(`${folder}/.git`)) && (await isChanged(folder)))
      found.push(otherRepository(path, 'modified'));
  });
  return found.filter(({ path }) => !known.has(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function otherRepository(path: string, status: 'new' | 'modified'): DiffFile {
  const counts = { added: 0, removed: 0, binary: false, omitted: false };
  return { path, status, ...counts, submodule: true, header: '', hunks: [] };
}
