import { mapBounded } from '../core/map-bounded.js';
import type { DiffFile } from '../diff/diff-source.js';
import { isThere } from '../node/files.js';
import { type GitPlace, gitFields, nameText } from './git-command.js';

/** What is looked for. */
export interface OtherRepositoriesOptions {
  /** The top folder of the working tree. */
  readonly top: string;
  /** Files and folders to search, relative to the place. */
  readonly paths: readonly string[];
  /** Paths that the diff contains already. */
  readonly known: ReadonlySet<string>;
  /** Returns whether a repository differs from its last commit. */
  readonly isChanged: (folder: string) => Promise<boolean>;
}

/**
 * Returns the repositories inside a working tree of whose changes a diff shows nothing: new ones
 * without a commit, and submodules with uncommitted changes.
 *
 * @param place - Its index contains the untracked files.
 */
export async function otherRepositories(
  place: GitPlace,
  { top, paths, known, isChanged }: OtherRepositoriesOptions,
): Promise<DiffFile[]> {
  const here = paths.length === 0 ? { ...place, cwd: top } : place;
  const list = (...args: string[]): Promise<string[]> =>
    gitFields(['ls-files', '-z', '--full-name', ...args, '--', ...paths], here);
  const others = await list('--others', '--exclude-standard');
  const found = others.flatMap((name) =>
    name.endsWith('/') ? [otherRepository(nameText(name.slice(0, -1)), 'new')] : [],
  );
  const links = (await list('--stage')).flatMap((entry) => {
    const [, name] = /^160000 \S+ \d\t([\s\S]*)$/.exec(entry) ?? [];
    return name === undefined || known.has(nameText(name)) ? [] : [nameText(name)];
  });
  await mapBounded(links, 4, async (path) => {
    const folder = `${top}/${path}`;
    if ((await isThere(`${folder}/.git`)) && (await isChanged(folder)))
      found.push(otherRepository(path, 'modified'));
  });
  return found.filter(({ path }) => !known.has(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function otherRepository(path: string, status: 'new' | 'modified'): DiffFile {
  const counts = { added: 0, removed: 0, binary: false, omitted: false };
  return { path, status, ...counts, submodule: true, header: '', hunks: [] };
}
