import { ReviewLoopError } from '../../core/errors.js';
import { gitErrors } from './errors.js';
import { type GitPlace, gitFields, gitOutput, nameText, runGit } from './git-command.js';

/** A commit, as far as somebody can compare it with files. */
export interface Commit {
  /** The address of its repository, without a password. */
  readonly repository: string;
  readonly commit: string;
  readonly tree: string;
  /** The ids of its files, by their paths from the root of the repository. */
  readonly files: ReadonlyMap<string, string>;
  /** The paths that differ from its first parent. */
  readonly changed: readonly string[];
}

export async function readCommit(revision: string, place: GitPlace): Promise<Commit> {
  const { commit, tree } = await resolveCommit(revision, place);
  const [listed, changed, remote] = await Promise.all([
    gitFields(['ls-tree', '-r', '-z', '--full-tree', commit], place),
    gitFields(
      ['diff-tree', '-r', '-z', '--diff-merges=first-parent', '--root', ...names, commit],
      place,
    ),
    runGit(['config', '--get', 'remote.origin.url'], place),
  ]);
  return {
    repository: `git+${withoutUser(remote.stdout.trim()) || 'local'}`,
    commit,
    tree,
    files: new Map(
      listed.map((line): [string, string] => {
        const [, id = '', name = ''] = /^\S+ \S+ (\S+)\t(.*)$/s.exec(line) ?? [];
        return [nameText(name), id];
      }),
    ),
    changed: [...new Set(changed.map(nameText))],
  };
}

const names = ['--name-only', '--no-commit-id', '--no-renames'];

export async function resolveCommit(
  revision: string,
  place: GitPlace,
): Promise<Pick<Commit, 'commit' | 'tree'>> {
  await gitOutput(['rev-parse', '--git-dir'], place);
  const [commit, tree] = await Promise.all(
    ['commit', 'tree'].map((kind) =>
      runGit(
        ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{${kind}}`],
        place,
      ),
    ),
  );
  if (commit?.exitCode === 0 && tree?.exitCode === 0)
    return { commit: commit.stdout.trim(), tree: tree.stdout.trim() };
  throw new ReviewLoopError(gitErrors.revision_unknown, `${revision} is no commit here`, {
    value: revision,
  });
}

function withoutUser(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}
