import { join } from 'node:path';
import { mapBounded } from '../../core/map-bounded.js';
import type { WorkspaceFolder } from './save-snapshot.js';
import { modeOf, type ScannedEntry } from './scan-folder.js';
import { type FileEntry, parentOf, type TreeEntry } from './tree-format.js';

/** The changes that turn a folder into a stored tree. */
export interface RestorePlan {
  /** Paths to remove, without those below another one. */
  readonly remove: readonly string[];
  /** Folders to create, parents first. */
  readonly make: readonly string[];
  readonly write: readonly FileEntry[];
  readonly link: readonly Extract<TreeEntry, { kind: 'link' }>[];
  /** Files with the right content and the wrong mode. */
  readonly mode: readonly FileEntry[];
}

/** Files read at a time. */
const width = 8;

/** Compares a folder with a stored tree. Reads only files of the right size. */
export async function planRestore(
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

/** Returns whether there is nothing to do, except for modes of folders. */
export function isEmpty({ remove, make, write, link, mode }: RestorePlan): boolean {
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
