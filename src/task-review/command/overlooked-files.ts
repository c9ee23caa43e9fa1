import { ReviewLoopError } from '../../core/errors.js';
import { gitErrors } from '../../git/errors.js';
import { gitDiff } from '../../git/git-diff.js';
import { oneLine } from '../../terminal/sanitise.js';
import { git } from './task-folder.js';

/** How many files a message names. */
const mostNamed = 5;

/**
 * Refuses changes that git was told to overlook, by `assume-unchanged` or `skip-worktree`. Reviewers
 * see them, and no commit would contain them.
 *
 * @throws ReviewLoopError `git_failed`
 */
export async function refuseOverlooked(folder: string): Promise<void> {
  const flagged = (await git(folder, 'ls-files', '--cached', '-v', '-z', '--', ':/'))
    .split('\0')
    .flatMap((entry) => (/^[a-zS] /.test(entry) ? [entry.slice(2)] : []));
  if (flagged.length === 0) return;
  const known = new Set(flagged);
  const { files } = await gitDiff({ cwd: folder }).diff({ kind: 'working-tree' });
  const changed = files.map(({ path }) => path).filter((path) => known.has(path));
  if (changed.length === 0) return;
  const named = changed.slice(0, mostNamed).join(', ');
  const more = changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : '';
  throw new ReviewLoopError(
    gitErrors.git_failed,
    `git was told to overlook the changes of ${oneLine(named)}${more}: no commit would contain ` +
      'them. Run `git update-index --no-assume-unchanged --no-skip-worktree FILE` for each, ' +
      'then commit or revert it',
    { value: changed },
  );
}
