import { ReviewLoopError } from '../core/errors.js';
import { gitErrors } from './errors.js';
import { type GitPlace, runGit } from './git-command.js';

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
