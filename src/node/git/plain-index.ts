import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { copyIfPresent, readSmallFile } from '../files.js';
import { withTempFolder } from '../temp-folder.js';
import { gitErrors } from './errors.js';
import { asInput, type GitPlace, gitError, gitFields, runGit } from './git-command.js';
import { type Repository, repositoryAt } from './repository.js';

export interface PlainIndex {
  readonly place: GitPlace;
  readonly hasLinks: boolean;
}

/** The name is relative to the place. */
interface Entry {
  /** As `git ls-files -v` tells: lower case for `assume-unchanged`, S for `skip-worktree`. */
  readonly tag: string;
  /** Mode, id and stage. */
  readonly state: string;
  readonly name: string;
}

/**
 * Copies the index of a repository without what git remembers about the files. Flags
 * (`assume-unchanged`, `skip-worktree`), times and sizes can make a changed file look unchanged, so
 * every file is read again. A file that a sparse checkout left out stays left out.
 *
 * @param path - The copy, which does not exist.
 */
export async function plainIndex(
  repository: Repository,
  place: GitPlace,
  path: string,
): Promise<PlainIndex> {
  const there: GitPlace = { ...place, env: { ...place.env, GIT_INDEX_FILE: path } };
  await copyIndex(repository.index, place, path);
  const entries = await entriesOf(place);
  const named = (pattern: RegExp): string[] =>
    entries.flatMap(({ tag, name }) => (pattern.test(tag) ? [name] : []));
  await update(['--no-assume-unchanged', '--stdin'], named(/[a-z]/), there);
  await update(['--no-skip-worktree', '--stdin'], named(/S/i), there);
  const names = [...new Set(entries.map(({ name }) => name))];
  // where no filter program is set, git stores the bytes of the disk
  const hasFilters = (place.settings ?? []).some(([name]) => name.startsWith('filter.'));
  const filtered: ReadonlySet<string> = hasFilters
    ? await filteredAmong(names, repository, place)
    : new Set();
  const prefix = Buffer.from(repository.prefix).toString('latin1');
  const read = entries.filter(({ name }) => !filtered.has(name));
  const lines = read.map(({ state, name }) => `${state}\t${prefix}${name}`);
  await update(['--index-info'], lines, there);
  await leaveOut(new Set(named(/S/i)), place, there);
  return { place: there, hasLinks: entries.some(({ state }) => state.startsWith('160000 ')) };
}

async function copyIndex(index: string, place: GitPlace, path: string): Promise<void> {
  try {
    await copyIfPresent(index, path);
  } catch (error) {
    throw new ReviewLoopError(
      gitErrors.git_failed,
      `the index of ${place.cwd} cannot be read: ${messageOf(error)}`,
      { cause: error, value: index },
    );
  }
}

async function entriesOf(place: GitPlace): Promise<Entry[]> {
  const fields = await gitFields(['ls-files', '--stage', '-v', '-z'], place);
  return fields.map((field) => {
    const [, tag = '', state = '', name] = /^(\S) (\d+ [0-9a-f]+ \d)\t([\s\S]*)$/.exec(field) ?? [];
    if (name !== undefined) return { tag, state, name };
    throw new ReviewLoopError(
      gitErrors.git_failed,
      `unknown output of git: ${JSON.stringify(field.slice(0, 200))}`,
    );
  });
}

async function leaveOut(
  skipped: ReadonlySet<string>,
  place: GitPlace,
  there: GitPlace,
): Promise<void> {
  if (skipped.size === 0 || !(await isSparse(place))) return;
  const missing = await gitFields(['ls-files', '--deleted', '-z'], there);
  const left = missing.filter((name) => skipped.has(name));
  await update(['--skip-worktree', '--stdin'], left, there);
}

async function isSparse(place: GitPlace): Promise<boolean> {
  const { stdout } = await runGit(['config', '--type=bool', '--get', 'core.sparseCheckout'], place);
  return stdout.trim() === 'true';
}

async function update(
  options: readonly string[],
  fields: readonly string[],
  place: GitPlace,
): Promise<void> {
  if (fields.length === 0) return;
  const args = ['update-index', '-z', ...options];
  const result = await runGit(args, { ...place, input: asInput(fields) });
  if (result.exitCode !== 0) throw gitError(args, place, result);
}

/** The largest file of attributes of a clone that may name filters, in bytes. */
const mostBytes = 1_000_000;

export async function filteredFiles(place: GitPlace): Promise<ReadonlySet<string>> {
  const repository = await repositoryAt(place);
  const inTop = { ...place, cwd: repository.top };
  return filteredAmong(await gitFields(['ls-files', '--cached', '-z'], inTop), repository, inTop);
}

/**
 * Returns which files are under filters. No filter runs, so their bytes differ from what git
 * stores, and only git knows whether they changed. A filter that only this clone names does not
 * count: nobody could see it.
 *
 * @param names - Relative to the place.
 */
async function filteredAmong(
  names: readonly string[],
  { attributes }: Repository,
  place: GitPlace,
): Promise<ReadonlySet<string>> {
  const rules = await readSmallFile(attributes, mostBytes);
  if (names.length === 0 || rules?.includes('filter')) return new Set();
  const fields = await gitFields(['check-attr', '-z', '--stdin', 'filter'], {
    ...place,
    input: asInput(names),
    settings: [...(place.settings ?? []), ['core.attributesFile', '/dev/null']],
  });
  const filtered = new Set<string>();
  for (let at = 0; at < fields.length; at += 3)
    if (!['unspecified', 'unset', 'set'].includes(fields[at + 2] ?? ''))
      filtered.add(fields[at] ?? '');
  return filtered;
}

export interface ScratchIndex {
  readonly place: GitPlace;
  /** Whether the working tree may contain other repositories. */
  readonly mayNest: boolean;
}

/**
 * Calls a function with a place in which git knows the untracked files, and reads every tracked
 * one. The repository does not change.
 */
export async function withScratchIndex<Value>(
  repository: Repository,
  place: GitPlace,
  work: (index: ScratchIndex) => Promise<Value>,
): Promise<Value> {
  const top: GitPlace = { ...place, cwd: repository.top };
  return withTempFolder(async (folder) => {
    const [{ place: inTop, hasLinks }, untracked] = await Promise.all([
      plainIndex({ ...repository, prefix: '' }, top, `${folder}/index`),
      gitFields(['ls-files', '--others', '--exclude-standard', '-z'], top),
    ]);
    if (untracked.length > 0) {
      const args = [
        'add',
        '--intent-to-add',
        '--ignore-errors',
        '--pathspec-from-file=-',
        '--pathspec-file-nul',
      ];
      const result = await runGit(args, {
        ...inTop,
        input: asInput(untracked),
        settings: [...(place.settings ?? []), ['core.sparseCheckout', 'false']],
      });
      // git skips unreadable files and exits with 1
      if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, place, result);
    }
    // each file is read once, not once for each diff
    await runGit(['update-index', '-q', '--refresh'], inTop);
    const mayNest = hasLinks || untracked.some((name) => name.endsWith('/'));
    return work({ place: { ...place, env: inTop.env }, mayNest });
  });
}
