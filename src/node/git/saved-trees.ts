import type { DiffFile } from '../../core/diff/diff-source.js';
import { isReviewError } from '../../core/errors.js';
import { checkKeys, checkPositive } from '../../core/options.js';
import { digestOfBytes, isThere, makeFolder } from '../files.js';
import { listFiles } from '../list-files.js';
import { type ChangedFile, changedFiles } from './changed-files.js';
import { type GitPlace, gitOutput, runGit } from './git-command.js';
import { compare } from './git-diff.js';
import { BlobReader } from './git-files.js';
import { type HiddenPath, hiddenPaths } from './ignore-rules.js';
import { repositoryAt, repositorySettings } from './repository.js';
import { changedStates, type SavedTree, saveTree, type TreePlace } from './save-tree.js';

export interface SavedTreesOptions {
  /** The folder whose files are saved. It need not be in a repository. */
  readonly root: string;
  /** The folder for the saved files, outside of what is saved. Nothing is written to `.git`. */
  readonly store: string;
  /** The timeout of one command, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** Ends the commands if it is aborted. @default none */
  readonly signal?: AbortSignal | undefined;
}

export interface TreeFile {
  readonly path: string;
  /** The name of its content, for `texts`. */
  readonly blob: string;
  readonly bytes: number;
}

/** Saves states of a folder, and reads them. */
export interface SavedTrees {
  /** Saves the files that git does not ignore. */
  readonly save: () => Promise<SavedTree>;
  /** Returns the tree of the last commit; `undefined` without one. */
  readonly lastCommit: () => Promise<string | undefined>;
  /** Returns the files that differ between two trees. */
  readonly changed: (from: string, to: string) => Promise<readonly ChangedFile[]>;
  /** Returns the files that differ between two trees, with their changed lines. */
  readonly diff: (from: string, to: string) => Promise<readonly DiffFile[]>;
  /** Returns what git ignores now because rules changed since the first of two states. */
  readonly hidden: (from: SavedTree, to: SavedTree) => Promise<readonly HiddenPath[]>;
  /** Returns the regular files of a tree. */
  readonly list: (tree: string) => Promise<readonly TreeFile[]>;
  /** Returns the content of a file in a tree; `undefined` if it is missing or not text. */
  readonly text: (tree: string, path: string) => Promise<string | undefined>;
}

/** The largest text that is read, in bytes. */
const maxBytes = 2_000_000;

/** The largest size of all changed lines, in bytes. */
const mostDiffBytes = 16 * 2 ** 20;

/**
 * Creates a place for states of a folder. It uses git for the work, with an index and objects of
 * its own. So it works in a repository that may not be written, and without a repository.
 *
 * @throws ReviewLoopError `invalid_options`; methods reject with `git_failed`, `process_not_found`, `process_timeout`,
 *   `cancelled`; `too_many_files` for a large folder without a repository
 */
export function savedTrees(options: SavedTreesOptions): SavedTrees {
  checkKeys('savedTrees', options, ['root', 'store', 'timeoutMs', 'signal']);
  checkPositive('timeoutMs', options.timeoutMs ?? 60_000);
  const { root, store, timeoutMs = 60_000, signal } = options;
  const plain: GitPlace = { cwd: root, timeoutMs, signal, env: { GIT_LITERAL_PATHSPECS: '0' } };
  let opened: Promise<TreePlace> | undefined;
  const openAgain = (): Promise<TreePlace> => {
    opened = openPlace(plain, store);
    return opened;
  };
  const open = (): Promise<TreePlace> => opened ?? openAgain();
  const blobs = new BlobReader(maxBytes);
  let compared: { readonly trees: string; readonly files: readonly ChangedFile[] } | undefined;
  const changed: SavedTrees['changed'] = async (from, to) => {
    const trees = `${from} ${to}`;
    // trees never change
    if (compared?.trees !== trees)
      compared = { trees, files: await differing(from, to, (await open()).place) };
    return compared.files;
  };
  return {
    save: async () =>
      saveTree(await withSettings(await openAgain()), (path) =>
        savedTrees({
          ...options,
          root: `${root}/${path}`,
          store: `${store}/nested/${digestOfBytes(path).slice(0, 16)}`,
        }).save(),
      ),
    lastCommit: async () => lastTree(await open()),
    changed,
    diff: async (from, to) => linesBetween(from, to, (await open()).place),
    hidden: async (from, to) => {
      const differing = await changed(from.id, to.id);
      const there = await open();
      const { prefix } = there.repository;
      const tracked = differing
        .flatMap(({ path, oldPath = path }) => [path, oldPath])
        .flatMap((path) => (/(^|\/)\.gitignore$/.test(path) ? [prefix + path] : []));
      const rules = [...new Set([...tracked, ...changedStates(from.ignoring, to.ignoring)])];
      if (rules.length === 0) return [];
      const textAt = async (path: string): Promise<string | undefined> =>
        path.startsWith(prefix)
          ? blobs.read(`${from.id}:${path.slice(prefix.length)}`, there.place)
          : undefined;
      const before = async (path: string): Promise<string> =>
        from.ignoring[path] ?? (await textAt(path)) ?? '';
      return hiddenPaths(await withSettings(there), rules, before);
    },
    list: async (tree) => {
      const { place } = await open();
      const output = await gitOutput(['ls-tree', '-r', '-l', '-z', '--full-tree', tree], place);
      return output.split('\0').flatMap(treeFile);
    },
    text: async (tree, path) => blobs.read(`${tree}:${path}`, (await open()).place),
  };
}

async function lastTree({
  place,
  repository: { prefix },
  isTheirs,
}: TreePlace): Promise<string | undefined> {
  if (!isTheirs) return undefined;
  const tree = prefix === '' ? 'HEAD^{tree}' : `HEAD:${prefix.slice(0, -1)}`;
  const { exitCode, stdout } = await runGit(['rev-parse', '--verify', '--quiet', tree], place);
  return exitCode === 0 ? stdout.trim() : undefined;
}

async function linesBetween(base: string, head: string, place: GitPlace) {
  const reading = { paths: [], maxBytes: mostDiffBytes, contextLines: 3 };
  return (await compare({ base, head, sides: [base, head] }, place, reading)).files;
}

async function differing(
  from: string,
  to: string,
  place: GitPlace,
): Promise<readonly ChangedFile[]> {
  const args = ['diff-tree', '-r', '--raw', '--no-abbrev', '-M', '-z', from, to];
  return changedFiles(await gitOutput(args, place));
}

async function openPlace(plain: GitPlace, store: string): Promise<TreePlace> {
  const repository = await repositoryAt(plain).catch((error: unknown) => {
    const isOutside =
      isReviewError(error) && ['not_a_repository', 'git_failed'].includes(error.code);
    if (isOutside) return undefined;
    throw error;
  });
  const isTheirs =
    repository !== undefined && (repository.prefix === '' || !(await isIgnored(plain)));
  if (!isTheirs) return ownRepository(plain, store);
  const objects = `${store}/objects`;
  // without the folder, git takes the repository for none
  await makeFolder(objects);
  const env = {
    ...plain.env,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: repository.objects,
  };
  return { place: { ...plain, env }, repository, isTheirs };
}

/** The settings for reading files of the disk may change, such as programs of filters. */
async function withSettings({ place, repository, isTheirs }: TreePlace): Promise<TreePlace> {
  const more = await repositorySettings(repository, place);
  return {
    place: { ...place, settings: [...(place.settings ?? []), ...more] },
    repository,
    isTheirs,
  };
}

/** A repository around the folder may ignore it, as a home folder under version control does. */
async function isIgnored(place: GitPlace): Promise<boolean> {
  return (await runGit(['check-ignore', '--quiet', '.'], place)).exitCode === 0;
}

const mostFiles = 20_000;

async function ownRepository(plain: GitPlace, store: string): Promise<TreePlace> {
  const folder = `${store}/git`;
  // without ignore rules, a home folder would be saved whole
  await listFiles(['.'], { cwd: plain.cwd, maxFiles: mostFiles });
  if (!(await isThere(`${folder}/HEAD`)))
    await gitOutput(['init', '--quiet', '--bare', folder], plain);
  const env = { ...plain.env, GIT_DIR: folder, GIT_WORK_TREE: plain.cwd };
  const place: GitPlace = { ...plain, env, settings: [['core.bare', 'false']] };
  return { place, repository: await repositoryAt(place), isTheirs: false };
}

function treeFile(entry: string): TreeFile[] {
  const [, blob, bytes, path] = /^100\d{3} blob (\S+) +(\d+)\t([\s\S]*)$/.exec(entry) ?? [];
  return blob === undefined || path === undefined ? [] : [{ path, blob, bytes: Number(bytes) }];
}
