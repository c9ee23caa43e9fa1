import { messageOf, ReviewLoopError } from '../core/errors.js';
import { copyIfPresent } from '../node/files.js';
import { withTempFolder } from '../node/temp-folder.js';
import { gitErrors } from './errors.js';
import { type GitPlace, gitError, gitOutput, runGit } from './git-command.js';
import { revealChanges } from './reveal-changes.js';

/**
 * Calls a function with an environment in which git knows the untracked files, and looks at every
 * tracked one. The repository does not change.
 */
export async function withScratchIndex<Value>(
  place: GitPlace,
  work: (env: Readonly<Record<string, string>>) => Promise<Value>,
): Promise<Value> {
  const path = (await gitOutput(['rev-parse', '--git-path', 'index'], place)).replace(/\n$/, '');
  const top = (await gitOutput(['rev-parse', '--show-toplevel'], place)).replace(/\n$/, '');
  return withTempFolder(async (folder) => {
    const index = `${folder}/index`;
    try {
      await copyIfPresent(place.cwd, path, index);
    } catch (error) {
      throw new ReviewLoopError(
        gitErrors.git_failed,
        `the index of ${place.cwd} cannot be read: ${messageOf(error)}`,
        { cause: error, value: path },
      );
    }
    const env = { GIT_INDEX_FILE: index };
    const inTop = { ...place, cwd: top, env };
    await revealChanges(inTop);
    const untracked = await untrackedFiles(inTop);
    if (untracked.length > 0) {
      const args = [
        'add',
        '--intent-to-add',
        '--ignore-errors',
        '--pathspec-from-file=-',
        '--pathspec-file-nul',
      ];
      const result = await runGit(args, { ...inTop, input: untracked });
      // git skips unreadable files and exits with 1
      if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, place, result);
    }
    return work(env);
  });
}

/** Returns the names of untracked files that are not ignored, as bytes: they may not be UTF-8. */
async function untrackedFiles(place: GitPlace): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const args = ['ls-files', '--others', '--exclude-standard', '-z'];
  const result = await runGit(args, { ...place, onOutput: (chunk) => void chunks.push(chunk) });
  if (result.exitCode !== 0) throw gitError(args, place, result);
  return Buffer.concat(chunks);
}
