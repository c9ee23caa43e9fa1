import { mapBounded } from '../core/map-bounded.js';
import { fileState } from '../node/file-state.js';
import { digestOfBytes, isThere } from '../node/files.js';
import type { GitPlace } from './git-command.js';
import { gitFields, nameText } from './git-fields.js';

/** What git did not save of a folder. */
export interface LeftStates {
  /** The states of repositories inside the folder, by path. */
  readonly nested: Readonly<Record<string, string>>;
  /** The states of other files, by path. */
  readonly unsaved: Readonly<Record<string, string>>;
}

/** What is looked at, and how repositories inside the folder are saved. */
export interface LeftOptions {
  readonly paths: readonly string[];
  readonly saveNested: (path: string) => Promise<LeftStates & { readonly id: string }>;
}

/**
 * Returns the states of what git did not save.
 *
 * @param place - Its index contains what git saved.
 */
export async function leftStates(
  place: GitPlace,
  { paths, saveNested }: LeftOptions,
): Promise<LeftStates> {
  const root = place.cwd;
  const list = (...args: string[]): Promise<string[]> =>
    gitFields([...args, '-z', '--', ...paths], place);
  const [others, changed, staged] = await Promise.all([
    list('ls-files', '--others', '--exclude-standard'),
    list('diff-files', '--name-only', '--relative', '--ignore-submodules=all'),
    list('ls-files', '--stage'),
  ]);
  const links = staged.flatMap((entry) => {
    const [, commit, path] = /^160000 (\S+) \d\t([\s\S]*)$/.exec(entry) ?? [];
    return commit === undefined || path === undefined ? [] : [{ commit, path }];
  });
  const unborn = others.flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : []));
  const nested: Record<string, string> = {};
  const all = [...links, ...unborn.map((path) => ({ commit: 'none', path }))];
  await mapBounded(all, 4, async ({ commit, path }) => {
    const name = nameText(path);
    const saved = (await isThere(`${root}/${name}/.git`)) ? await saveNested(name) : undefined;
    nested[name] = saved === undefined ? `${commit} ` : `${commit} ${stateOf(saved)}`;
  });
  const unsaved: Record<string, string> = {};
  const files = [...others, ...changed].filter((name) => !name.endsWith('/'));
  await mapBounded([...new Set(files)], 16, async (path) => {
    const name = nameText(path);
    const state = await fileState(`${root}/${name}`);
    if (state !== undefined) unsaved[name] = state;
  });
  return { nested, unsaved };
}

/** Returns a text that is equal for equal files of a repository. */
function stateOf({ id, nested, unsaved }: LeftStates & { readonly id: string }): string {
  const left = JSON.stringify([nested, unsaved]);
  return left === '[{},{}]' ? id : `${id} ${digestOfBytes(left)}`;
}
