import { messageOf, ReviewLoopError } from '../core/errors.js';
import { copyIfPresent } from '../node/files.js';
import { gitErrors } from './errors.js';
import { filteredFiles } from './filtered-files.js';
import { type GitPlace, gitError, gitOutput, runGit } from './git-command.js';
import { asInput, gitFields } from './git-fields.js';

/**
 * Copies the index of a repository without what git remembers about the files. Flags
 * (`assume-unchanged`, `skip-worktree`), times and sizes can make a changed file look unchanged, so
 * every file is read again. A file that a sparse checkout left out stays left out.
 *
 * @param path - The copy, which does not exist.
 * @returns The place of the copy.
 */
export async function plainIndex(place: GitPlace, path: string): Promise<GitPlace> {
  const there: GitPlace = { ...place, env: { ...place.env, GIT_INDEX_FILE: path } };
  await copyIndex(place, path);
  const tagged = await gitFields(['ls-files', '--cached', '-v', '-z'], place);
  const named = (pattern: RegExp): string[] =>
    tagged.flatMap((entry) => (pattern.test(entry) ? [entry.slice(2)] : []));
  await update(['--no-assume-unchanged', '--stdin'], named(/^[a-z] /), there);
  await update(['--no-skip-worktree', '--stdin'], named(/^S /i), there);
  const filtered = await filteredFiles(place);
  const entries = await gitFields(['ls-files', '--stage', '-z', '--full-name'], place);
  const read = entries.filter((entry) => !filtered.has(entry.slice(entry.indexOf('\t') + 1)));
  await update(['--index-info'], read, there);
  await leaveOut(new Set(named(/^S /i)), place, there);
  return there;
}

async function copyIndex(place: GitPlace, path: string): Promise<void> {
  const index = (await gitOutput(['rev-parse', '--git-path', 'index'], place)).replace(/\n$/, '');
  try {
    await copyIfPresent(place.cwd, index, path);
  } catch (error) {
    throw new ReviewLoopError(
      gitErrors.git_failed,
      `the index of ${place.cwd} cannot be read: ${messageOf(error)}`,
      { cause: error, value: index },
    );
  }
}

/** Flags the files that a sparse checkout left out. */
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

/** Returns whether the checkout leaves files out. */
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
