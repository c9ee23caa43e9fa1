import { mapBounded } from '../core/map-bounded.js';
import { checkKeys, checkPositive } from '../core/options.js';
import { copyIfPresent, isThere, makeFolder } from '../node/files.js';
import { listFiles } from '../node/list-files.js';
import { withTempFolder } from '../node/temp-folder.js';
import { BlobReader } from './blob-reader.js';
import { type ChangedFile, changedFiles } from './changed-files.js';
import { type GitPlace, gitError, gitOutput, runGit, withoutFilters } from './git-command.js';
import { revealChanges } from './reveal-changes.js';
import { emptyTree } from './revisions.js';

/** Options of {@link savedTrees}. */
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

/** A file of a saved tree. */
export interface TreeFile {
  readonly path: string;
  /** The name of its content, for `texts`. */
  readonly blob: string;
  readonly bytes: number;
}

/** A saved state of a folder. */
export interface SavedTree {
  /** Equal for equal files. */
  readonly id: string;
  /** The states of repositories inside the folder, by path; git saves none of their files. */
  readonly nested: Readonly<Record<string, string>>;
}

/** Saves states of a folder, and reads them. */
export interface SavedTrees {
  /** Saves the files that git does not ignore. */
  readonly save: () => Promise<SavedTree>;
  /** Returns the tree of the last commit; `undefined` without one. */
  readonly lastCommit: () => Promise<string | undefined>;
  /** Returns the files that differ between two trees. */
  readonly changed: (from: string, to: string) => Promise<readonly ChangedFile[]>;
  /** Returns the regular files of a tree. */
  readonly list: (tree: string) => Promise<readonly TreeFile[]>;
  /** Returns the content of a file in a tree; `undefined` if it is missing or not text. */
  readonly text: (tree: string, path: string) => Promise<string | undefined>;
}

/** The largest text that is read, in bytes. */
const maxBytes = 2_000_000;

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
  let opened: Promise<Opened> | undefined;
  const open = (): Promise<Opened> => {
    opened ??= openPlace(plain, store);
    return opened;
  };
  const blobs = new BlobReader(maxBytes);
  return {
    save: async () => saveTree(await open(), root),
    lastCommit: async () => {
      const { place, index, prefix } = await open();
      if (index === undefined) return undefined;
      const tree = prefix === '' ? 'HEAD^{tree}' : `HEAD:${prefix}`;
      const { exitCode, stdout } = await runGit(['rev-parse', '--verify', '--quiet', tree], place);
      return exitCode === 0 ? stdout.trim() : undefined;
    },
    changed: async (from, to) => {
      const { place } = await open();
      const args = ['diff-tree', '-r', '--raw', '--no-abbrev', '-M', '-z', from, to];
      return changedFiles(await gitOutput(args, place));
    },
    list: async (tree) => {
      const { place } = await open();
      const output = await gitOutput(['ls-tree', '-r', '-l', '-z', '--full-tree', tree], place);
      return output.split('\0').flatMap(treeFile);
    },
    text: async (tree, path) => blobs.read(`${tree}:${path}`, (await open()).place),
  };
}

/** Everything but what this package writes. */
const ownPaths = ['.', ':(exclude,top,glob)**/.reviewloop/**'];

interface Opened {
  readonly place: GitPlace;
  /** The index of the repository; `undefined` without a repository. */
  readonly index: string | undefined;
  /** The folder within the repository; '' for its top. */
  readonly prefix: string;
}

async function openPlace(plain: GitPlace, store: string): Promise<Opened> {
  const asked = ['--is-inside-work-tree', '--show-prefix'];
  const paths = ['--git-path', 'index', '--git-path', 'objects'];
  const { exitCode, stdout } = await runGit(['rev-parse', ...asked, ...paths], plain);
  const [inside, folder = '', index = '', theirs = ''] = stdout.split('\n');
  const prefix = folder.replace(/\/$/, '');
  const isOutside =
    exitCode !== 0 || inside !== 'true' || (prefix !== '' && (await isIgnored(plain)));
  if (isOutside) return { place: await ownRepository(plain, store), index: undefined, prefix: '' };
  const absolute = (path: string): string =>
    /^(?:\/|[A-Za-z]:)/.test(path) ? path : `${plain.cwd}/${path}`;
  const objects = `${store}/objects`;
  // without the folder, git takes the repository for none
  await makeFolder(objects);
  const env = {
    ...plain.env,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: absolute(theirs),
  };
  const settings = await withoutFilters(plain);
  return { place: { ...plain, env, settings }, index: absolute(index), prefix };
}

/** A repository around the folder may ignore it, as a home folder under version control does. */
async function isIgnored(place: GitPlace): Promise<boolean> {
  return (await runGit(['check-ignore', '--quiet', '.'], place)).exitCode === 0;
}

/** The largest number of files of a folder without a repository. */
const mostFiles = 20_000;

/** Returns a place in a repository of our own, for a folder that is in none. */
async function ownRepository(plain: GitPlace, store: string): Promise<GitPlace> {
  const folder = `${store}/git`;
  // without ignore rules, a home folder would be saved whole
  await listFiles(['.'], { cwd: plain.cwd, maxFiles: mostFiles });
  if (!(await isThere(`${folder}/HEAD`)))
    await gitOutput(['init', '--quiet', '--bare', folder], plain);
  const env = { ...plain.env, GIT_DIR: folder, GIT_WORK_TREE: plain.cwd };
  const place: GitPlace = { ...plain, env, settings: [['core.bare', 'false']] };
  return {
    ...place,
    settings: [['core.bare', 'false'], ...(await withoutFilters(place))],
  };
}

async function saveTree({ place, index, prefix }: Opened, root: string): Promise<SavedTree> {
  return withTempFolder(async (folder) => {
    const scratch = `${folder}/index`;
    if (index !== undefined) await copyIfPresent(root, index, scratch);
    const here = { ...place, env: { ...place.env, GIT_INDEX_FILE: scratch } };
    if (index !== undefined) await revealChanges(here);
    const args = ['add', '--all', '--ignore-errors', '--', ...ownPaths];
    const added = await runGit(args, here);
    // git skips unreadable files and exits with 1
    if (added.exitCode !== 0 && added.exitCode !== 1) throw gitError(args, here, added);
    const whole = (await gitOutput(['write-tree', '--missing-ok'], here)).trim();
    const id = prefix === '' ? whole : await subtree(whole, prefix, here);
    return { id, nested: await nestedStates(id, here, root) };
  });
}

/** Returns the tree of a folder in a tree; the empty tree if git saved no file of it. */
async function subtree(tree: string, prefix: string, place: GitPlace): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', `${tree}:${prefix}`];
  const { exitCode, stdout } = await runGit(args, place);
  return exitCode === 0 ? stdout.trim() : emptyTree(place);
}

/** The mode of a repository inside the folder. */
const nestedMode = /^160000 commit (\S+)\t([\s\S]*)$/;

/** Returns a digest of the state of each repository inside the folder. */
async function nestedStates(
  tree: string,
  place: GitPlace,
  root: string,
): Promise<Record<string, string>> {
  const output = await gitOutput(['ls-tree', '-r', '-z', '--full-tree', tree], place);
  const links = output.split('\0').flatMap((entry) => {
    const [, commit, path] = nestedMode.exec(entry) ?? [];
    return commit === undefined || path === undefined ? [] : [{ commit, path }];
  });
  const states: Record<string, string> = {};
  await mapBounded(links, 4, async ({ commit, path }) => {
    states[path] = `${commit} ${await statusOf(`${root}/${path}`, place.timeoutMs)}`;
  });
  return states;
}

/** Returns what differs from the last commit of a repository, with the times of its files. */
async function statusOf(folder: string, timeoutMs: number): Promise<string> {
  if (!(await isThere(`${folder}/.git`))) return '';
  const place: GitPlace = { cwd: folder, timeoutMs };
  const safe = { ...place, settings: await withoutFilters(place) };
  const { stdout } = await runGit(['diff', '--no-ext-diff', '--no-textconv', 'HEAD'], safe);
  const args = ['ls-files', '--others', '--exclude-standard', '-z'];
  const others = (await runGit(args, safe)).stdout;
  const hashed = await gitOutput(['hash-object', '--stdin'], {
    ...safe,
    input: new TextEncoder().encode(`${stdout}\0${others}`),
  });
  return hashed.trim();
}

function treeFile(entry: string): TreeFile[] {
  const [, blob, bytes, path] = /^100\d{3} blob (\S+) +(\d+)\t([\s\S]*)$/.exec(entry) ?? [];
  return blob === undefined || path === undefined ? [] : [{ path, blob, bytes: Number(bytes) }];
}
