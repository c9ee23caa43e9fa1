import { chmod, mkdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { temporaryBeside } from '../../../node/durable.js';
import { storeErrors } from '../errors.js';
import { decodeTree, type FileEntry, parentOf, type TreeEntry } from './content-store.js';
import type { WorkspaceFolder } from './save-snapshot.js';
import { modeOf, type ScannedEntry, scanFolder, shown } from './scan-folder.js';

const width = 8;

/**
 * Checks all stored contents before the first change, and does not touch correct entries. After a
 * crash, a second call finishes the work.
 */
export async function restoreFiles(folder: WorkspaceFolder, digest: string): Promise<void> {
  const text = await folder.contents.readTree(digest);
  if (text === undefined)
    throw new ReviewLoopError(
      storeErrors.workspace_missing,
      `no state ${shown(digest)} of ${folder.root} is stored`,
      { value: digest },
    );
  const wanted = decodeTree(text, digest);
  const { root, ignored } = folder;
  const found = await scanFolder({ root, ignored, toReplace: true });
  const plan = await planRestore(folder, wanted, found);
  await checkContents(folder, plan);
  if (!isEmpty(plan)) await apply(folder, plan, found);
  await setFolderModes(
    folder,
    wanted,
    isEmpty(plan) ? found : await scanFolder({ root, ignored, toReplace: true }),
  );
}

async function checkContents({ contents }: WorkspaceFolder, { write }: RestorePlan): Promise<void> {
  const byHash = new Map(write.map((entry) => [entry.hash, entry]));
  await mapBounded([...byHash.values()], width, async (entry) => {
    const problem = await contents.problemWith(entry);
    if (problem !== undefined)
      throw new ReviewLoopError(
        storeErrors.workspace_damaged,
        `cannot restore ${shown(entry.path)}: ${problem}`,
        { value: entry.path },
      );
  });
}

async function apply(
  { root, contents }: WorkspaceFolder,
  plan: RestorePlan,
  found: readonly ScannedEntry[],
): Promise<void> {
  for (const { path, stats } of found)
    if (stats.isDirectory() && (modeOf(stats) & 0o700) !== 0o700)
      await chmod(join(root, path), modeOf(stats) | 0o700);
  await mapBounded(plan.remove, width, async (path) =>
    rm(await placeOf(root, path), { recursive: true, force: true }),
  );
  for (const path of plan.make) await mkdir(await placeOf(root, path));
  await mapBounded(plan.write, width, async (entry) =>
    contents.restore(entry, await placeOf(root, entry.path)),
  );
  for (const { path, target } of plan.link) await makeLink(await placeOf(root, path), target);
  for (const { path, mode } of plan.mode) await chmod(await placeOf(root, path), mode);
}

/** Checks that no link leads elsewhere. */
async function placeOf(root: string, path: string): Promise<string> {
  const above = join(root, parentOf(path));
  const real = await realpath(above).catch(() => undefined);
  if (real !== above)
    throw new ReviewLoopError(
      storeErrors.workspace_changed,
      `the folder of ${shown(path)} was replaced while it was restored`,
      { value: path },
    );
  return join(root, path);
}

async function makeLink(path: string, target: string): Promise<void> {
  const temporary = temporaryBeside(path);
  await symlink(target, temporary);
  await rename(temporary, path);
}

/** The deepest goes first: a closed folder hides its content. */
async function setFolderModes(
  { root }: WorkspaceFolder,
  wanted: readonly TreeEntry[],
  found: readonly ScannedEntry[],
): Promise<void> {
  const now = new Map(found.map(({ path, stats }) => [path, modeOf(stats)]));
  for (const entry of [...wanted].reverse())
    if (entry.kind === 'folder' && now.get(entry.path) !== entry.mode)
      await chmod(await placeOf(root, entry.path), entry.mode);
}

interface RestorePlan {
  /** Paths to remove, without those below another one. */
  readonly remove: readonly string[];
  /** Folders to create, parents first. */
  readonly make: readonly string[];
  readonly write: readonly FileEntry[];
  readonly link: readonly Extract<TreeEntry, { kind: 'link' }>[];
  readonly mode: readonly FileEntry[];
}

/** Reads only files of the right size. */
async function planRestore(
  folder: WorkspaceFolder,
  wanted: readonly TreeEntry[],
  found: readonly ScannedEntry[],
): Promise<RestorePlan> {
  const now = new Map(found.map((one) => [one.path, one]));
  const keep = new Set(
    wanted.filter((entry) => kindOf(now.get(entry.path)) === entry.kind).map(({ path }) => path),
  );
  const inTheWay = new Set(found.filter(({ path }) => !keep.has(path)).map(({ path }) => path));
  const write: FileEntry[] = [];
  const mode: FileEntry[] = [];
  const files = wanted.filter((entry) => entry.kind === 'file');
  await mapBounded(files, width, async (entry) => {
    const present = keep.has(entry.path) ? now.get(entry.path) : undefined;
    if (present === undefined || !(await hasContent(folder, entry, present))) write.push(entry);
    else if (modeOf(present.stats) !== entry.mode) mode.push(entry);
  });
  return {
    remove: [...inTheWay].filter((path) => !inTheWay.has(parentOf(path))),
    make: wanted
      .filter(({ kind, path }) => kind === 'folder' && !keep.has(path))
      .map(({ path }) => path),
    write,
    link: wanted
      .filter((entry) => entry.kind === 'link')
      .filter(({ path, target }) => !keep.has(path) || now.get(path)?.target !== target),
    mode,
  };
}

function isEmpty({ remove, make, write, link, mode }: RestorePlan): boolean {
  return [remove, make, write, link, mode].every((list) => list.length === 0);
}

async function hasContent(
  { root, contents, hashes }: WorkspaceFolder,
  entry: FileEntry,
  found: ScannedEntry,
): Promise<boolean> {
  if (found.stats.size !== BigInt(entry.size)) return false;
  const hash =
    hashes.hash(entry.path, found.stats) ?? (await contents.hashOf(join(root, entry.path)));
  return hash === entry.hash;
}

function kindOf(found: ScannedEntry | undefined): TreeEntry['kind'] | undefined {
  if (found === undefined) return undefined;
  if (found.target !== undefined) return 'link';
  if (found.stats.isDirectory()) return 'folder';
  return found.stats.isFile() ? 'file' : undefined;
}
