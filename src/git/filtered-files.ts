import { readSmallFile } from '../node/files.js';
import { type GitPlace, gitOutput } from './git-command.js';
import { asInput, gitFields } from './git-fields.js';

/** The largest file of attributes of a clone that may name filters, in bytes. */
const mostBytes = 1_000_000;

/**
 * Returns the files under filters, such as those of git-lfs. No filter runs, so their bytes differ
 * from what git stores, and only git knows whether they changed. A filter that only this clone
 * names does not count: nobody could see it.
 */
export async function filteredFiles(place: GitPlace): Promise<ReadonlySet<string>> {
  const own = (await gitOutput(['rev-parse', '--git-path', 'info/attributes'], place)).trimEnd();
  const rules = await readSmallFile(own.startsWith('/') ? own : `${place.cwd}/${own}`, mostBytes);
  if (rules?.includes('filter')) return new Set();
  const names = await gitFields(['ls-files', '--cached', '-z', '--full-name'], place);
  const top = (await gitOutput(['rev-parse', '--show-toplevel'], place)).replace(/\n$/, '');
  const fields = await gitFields(['check-attr', '-z', '--stdin', 'filter'], {
    ...place,
    cwd: top,
    input: asInput(names),
    settings: [...(place.settings ?? []), ['core.attributesFile', '/dev/null']],
  });
  const filtered = new Set<string>();
  for (let at = 0; at < fields.length; at += 3)
    if (!['unspecified', 'unset', 'set'].includes(fields[at + 2] ?? ''))
      filtered.add(fields[at] ?? '');
  return filtered;
}
