import { withTempFolder } from '../node/temp-folder.js';
import { type GitPlace, gitError, gitOutput, runGit } from './git-command.js';
import { asInput, gitFields } from './git-fields.js';
import { ignoringStates } from './ignoring-states.js';
import { leftStates } from './left-states.js';
import { plainIndex } from './plain-index.js';
import type { Repository } from './repository.js';

/** A saved state of a folder. */
export interface SavedTree {
  /** Equal for equal files. */
  readonly id: string;
  /** The states of repositories inside the folder, by path; git saves none of their files. */
  readonly nested: Readonly<Record<string, string>>;
  /** The states of other files that git did not save, by path, such as unreadable ones. */
  readonly unsaved: Readonly<Record<string, string>>;
  /**
   * The states of what makes git ignore files although no saved file says so, by path: settings of
   * the clone, and folders that ignore themselves.
   */
  readonly ignoring: Readonly<Record<string, string>>;
}

export interface TreePlace {
  readonly place: GitPlace;
  readonly repository: Repository;
  /** Whether it is a repository of others. */
  readonly isTheirs: boolean;
}

/** Saves a repository inside the folder. */
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
      leftStates(whole, { paths: ownPaths, saveNested }),
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

/** Returns the tree of a folder in a tree; the empty tree if git saved no file of it. */
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
