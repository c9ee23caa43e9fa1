import { ReviewLoopError } from '../core/errors.js';
import { gitErrors } from './errors.js';
import { type GitPlace, gitFields, gitOutput, nameText, runGit } from './git-command.js';

/** Returns the id of the last commit; undefined before the first. */
export async function headOf(place: GitPlace): Promise<string | undefined> {
  const { exitCode, stdout } = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'],
    place,
  );
  return exitCode === 0 ? stdout.trim() : undefined;
}

/**
 * Returns the id of the commit that a text names. A leading dash never makes it an option.
 *
 * @throws ReviewLoopError `revision_unknown`
 */
export async function commitOf(revision: string, place: GitPlace): Promise<string> {
  const shown = JSON.stringify(String(revision).slice(0, 200));
  if (typeof revision !== 'string' || revision.trim() === '' || revision.includes('\0'))
    throw new ReviewLoopError(
      gitErrors.revision_unknown,
      `expected the name of a commit, got ${shown}`,
      {
        value: revision,
      },
    );
  const { exitCode, stdout } = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    place,
  );
  const id = stdout.trim();
  if (exitCode !== 0 || !/^[0-9a-f]{40,64}$/.test(id))
    throw new ReviewLoopError(
      gitErrors.revision_unknown,
      `the repository of ${place.cwd} has no commit ${shown}`,
      { value: revision },
    );
  return id;
}

/**
 * Returns the merge base of two commits.
 *
 * @throws ReviewLoopError `revision_unknown`
 */
export async function mergeBaseOf(left: string, right: string, place: GitPlace): Promise<string> {
  const { exitCode, stdout } = await runGit(['merge-base', left, right], place);
  const id = stdout.trim();
  if (exitCode !== 0 || id === '')
    throw new ReviewLoopError(
      gitErrors.revision_unknown,
      `the commits ${left} and ${right} have no common history`,
      { value: [left, right] },
    );
  return id;
}

/**
 * Returns the files whose staged version is neither the committed one nor the one in the folder. A
 * review sees one of the two.
 *
 * @throws ReviewLoopError as `gitOutput`
 */
export async function filesInTwoVersions(
  cwd: string,
  { paths, signal }: { readonly paths: readonly string[]; readonly signal: AbortSignal },
): Promise<string[]> {
  const place = { cwd, timeoutMs: 60_000, signal };
  const only = ['--name-only', '-z', '--', ...paths];
  const head = await gitOutput(['rev-parse', '--verify', '--quiet', 'HEAD'], place).catch(() => '');
  if (head === '') return [];
  const staged = await gitFields(['diff-index', '--cached', 'HEAD', ...only], place);
  if (staged.length === 0) return [];
  const edited = new Set(await gitFields(['diff-files', ...only], place));
  return staged.filter((name) => edited.has(name)).map(nameText);
}
