import { withTempFolder } from '../node/temp-folder.js';
import { type GitPlace, gitError, runGit } from './git-command.js';
import { asInput, gitFields } from './git-fields.js';
import { plainIndex } from './plain-index.js';
import type { Repository } from './repository.js';

/** A place in which git knows the untracked files. */
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
