import { readSmallFile } from '../node/files.js';
import type { GitPlace } from './git-command.js';
import { asInput, gitFields } from './git-fields.js';
import { type Repository, repositoryAt } from './repository.js';

/** The largest file of attributes of a clone that may name filters, in bytes. */
const mostBytes = 1_000_000;

/**
 * Returns the tracked files under filters, such as those of git-lfs, from the top of the
 * repository.
 *
 * @throws ReviewLoopError as `gitFields`, and `not_a_repository`
 */
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
export async function filteredAmong(
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
