import { foldsCase } from '../node/folds-case.js';
import { type GitPlace, gitOutput, runGit } from './git-command.js';

/**
 * Returns settings that override those of the repository: no filter program runs, and files whose
 * names differ in letter case are different files, unless the file system folds case.
 */
export async function repositorySettings(
  place: GitPlace,
): Promise<readonly (readonly [string, string])[]> {
  const folder = (await gitOutput(['rev-parse', '--absolute-git-dir'], place)).replace(/\n$/, '');
  const exact = (await foldsCase(folder, 'HEAD')) ? [] : [['core.ignoreCase', 'false'] as const];
  return [...exact, ...(await withoutFilters(place))];
}

/** Returns settings that disable every filter program, so that reading a file runs none. */
async function withoutFilters(place: GitPlace): Promise<readonly (readonly [string, string])[]> {
  const { stdout, exitCode } = await runGit(
    [
      'config',
      '--null',
      '--name-only',
      '--get-regexp',
      '^filter\\..*\\.(clean|smudge|process|required)$',
    ],
    place,
  );
  if (exitCode !== 0) return [];
  const names = stdout.split('\0').filter((name) => name !== '');
  return [...new Set(names)].map(
    (name) => [name, name.endsWith('.required') ? 'false' : ''] as const,
  );
}
