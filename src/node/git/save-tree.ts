import { mapBounded } from '../../core/map-bounded.js';
import { digestOfBytes, fileState, isThere } from '../files.js';
import { withTempFolder } from '../temp-folder.js';
import {
  asInput,
  type GitPlace,
  gitError,
  gitFields,
  gitOutput,
  nameText,
  runGit,
} from './git-command.js';
import { ignoringStates } from './ignore-rules.js';
import { plainIndex } from './plain-index.js';
import type { Repository } from './repository.js';

export interface SavedTree {
  /** Equal for equal files. */
  readonly id: string;
  /** The states of repositories inside the folder, by path; git saves none of their files. */
  readonly nested: Readonly<Record<string, string>>;
  /** The states of other files that git did not save, by path, such as unreadable ones. */
  readonly unsaved: Readonly<Record<string, string>>;
  /**
   * What makes git ignore or convert files although no saved file says so, by path: rules of the
   * clone, and rules that are ignored themselves.
   */
  readonly ignoring: Readonly<Record<string, string>>;
}

export interface TreePlace {
  readonly place: GitPlace;
  readonly repository: Repository;
  readonly isTheirs: boolean;
}

export function changedStates(
  before: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>> | undefined,
): string[] {
  if (before === undefined || now === undefined) return [];
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}

export type SaveNested = (path: string) => Promise<SavedTree>;

/** Everything but what this package writes. */
const ownPaths = ['.', ':(exclude,glob).reviewloop/**'];

/** Saves the files of a folder that git does not ignore, as they are on the disk. */
export async function saveTree(
  { place, repository, isTheirs }: TreePlace,
  saveNested: SaveNested,
): Promise<SavedTree> {
  return withTempFolder(async (folder) => {
    const path = `${folder}/index`;
    const scratch = isTheirs
      ? (await plainIndex(repository, place, path)).place
      : { ...place, env: { ...place.env, GIT_INDEX_FILE: path } };
    const whole = { ...scratch, settings: [...(place.settings ?? []), everyFile] };
    const args = ['add', '--all', '--ignore-errors', '--', ...ownPaths];
    const added = await runGit(args, whole);
    // git skips unreadable files and exits with 1
    if (added.exitCode !== 0 && added.exitCode !== 1) throw gitError(args, whole, added);
    await addAsTheyAre(whole, repository);
    const written = (await gitOutput(['write-tree', '--missing-ok'], whole)).trim();
    const [id, left, ignoring] = await Promise.all([
      subtree(written, repository, whole),
      leftStates(whole, saveNested),
      ignoringStates(whole, repository),
    ]);
    return { id, ...left, ignoring };
  });
}

/** A sparse checkout does not keep git from adding what is on the disk. */
const everyFile = ['core.sparseCheckout', 'false'] as const;

/** Adds files whose keywords git removes (`$Id$`) with all their bytes. */
async function addAsTheyAre(place: GitPlace, repository: Repository): Promise<void> {
  const entries = await gitFields(['ls-files', '--stage', '-z', '--', ':(attr:ident)'], place);
  const files = entries.flatMap((entry) => {
    const [, mode, name] = /^(100\d{3}) \S+ 0\t([^\n]*)$/.exec(entry) ?? [];
    return mode === undefined || name === undefined ? [] : [{ mode, name }];
  });
  if (files.length === 0) return;
  const hashed = await gitOutput(['hash-object', '-w', '--no-filters', '--stdin-paths'], {
    ...place,
    input: Buffer.from(files.map(({ name }) => `${name}\n`).join(''), 'latin1'),
  });
  const ids = hashed.trim().split('\n');
  const prefix = Buffer.from(repository.prefix).toString('latin1');
  const args = ['update-index', '-z', '--index-info'];
  const input = asInput(
    files.map(({ mode, name }, index) => `${mode} ${ids[index]}\t${prefix}${name}`),
  );
  const result = await runGit(args, { ...place, input });
  if (result.exitCode !== 0) throw gitError(args, place, result);
}

/** The empty tree if git saved no file of the folder. */
async function subtree(
  tree: string,
  { prefix, emptyTree }: Repository,
  place: GitPlace,
): Promise<string> {
  if (prefix === '') return tree;
  const args = ['rev-parse', '--verify', '--quiet', `${tree}:${prefix.slice(0, -1)}`];
  const { exitCode, stdout } = await runGit(args, place);
  return exitCode === 0 ? stdout.trim() : emptyTree;
}

type LeftStates = Pick<SavedTree, 'nested' | 'unsaved'>;

async function leftStates(place: GitPlace, saveNested: SaveNested): Promise<LeftStates> {
  const root = place.cwd;
  const list = (...args: string[]): Promise<string[]> =>
    gitFields([...args, '-z', '--', ...ownPaths], place);
  const [found, changed] = await Promise.all([
    list('ls-files', '-t', '--stage', '--others', '--exclude-standard'),
    list('diff-files', '--name-only', '--relative', '--ignore-submodules=all'),
  ]);
  const others = found.flatMap((entry) => (entry.startsWith('? ') ? [entry.slice(2)] : []));
  const links = found.flatMap((entry) => {
    const [, commit, path] = /^[^?] 160000 (\S+) \d\t([\s\S]*)$/.exec(entry) ?? [];
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

function stateOf({ id, nested, unsaved }: SavedTree): string {
  const left = JSON.stringify([nested, unsaved]);
  return left === '[{},{}]' ? id : `${id} ${digestOfBytes(left)}`;
}
