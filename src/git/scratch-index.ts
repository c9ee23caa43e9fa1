import { withTempFolder } from '../node/temp-folder.js';
import { type GitPlace, gitError, gitOutput, runGit } from './git-command.js';
import { asInput, gitFields } from './git-fields.js';
import { plainIndex } from './plain-index.js';

/**
 * Calls a function with a place in which git knows the untracked files, and reads every tracked
 * one. The repository does not change.
 */
export async function withScratchIndex<Value>(
  place: GitPlace,
  work: (place: GitPlace) => Promise<Value>,
): Promise<Value> {
  const top = (await gitOutput(['rev-parse', '--show-toplevel'], place)).replace(/\n$/, '');
  return withTempFolder(async (folder) => {
    const inTop = await plainIndex({ ...place, cwd: top }, `${folder}/index`);
    const untracked = await gitFields(['ls-files', '--others', '--exclude-standard', '-z'], inTop);
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
    return work({ ...place, env: inTop.env });
  });
}
