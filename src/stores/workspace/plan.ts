import { join } from 'node:path';
import { mapBounded } from '../../ports/limiter.js';
import { type FileEntry, parentOf, type TreeEntry } from './manifest.js';
import type { KeptFolder } from './save-snapshot.js';
import { type Found, modeOf } from './walk.js';

/** What has to be done for a folder to hold a tree. */
export interface Plan {
  /** The highest of what is in the way, with everything below. */
  readonly remove: readonly string[];
  /** Folders to be made, parents first. */
  readonly make: readonly string[];
  readonly write: readonly FileEntry[];
  readonly link: readonly Extract<TreeEntry, { kind: 'link' }>[];
  /** Files of the right content and the wrong mode. */
  readonly mode: readonly FileEntry[];
}

const width = 8;

/** Compares what is there with what is wanted. Only files of the right size are read. */
export async function planFor(
  folder: KeptFolder,
  wanted: readonly TreeEntry[],
  found: readonly Found[],
): Promise<Plan> {
  const now = new Map(found.map((one) => [one.path, one]));
  const keep = new Set(
    wanted.filter((entry) => kindOf(now.get(entry.path)) === entry.kind).map(({ path }) => path),
  );
  const inTheWay = new Set(found.filter(({ path }) => !keep.has(path)).map(({ path }) => path));
  const write: FileEntry[] = [];
  const mode: FileEntry[] = [];
  const files = wanted.filter((entry) => entry.kind === 'file');
  await mapBounded(files, width, async (entry) => {
    const there = keep.has(entry.path) ? now.get(entry.path) : undefined;
    if (there === undefined || !(await holds(folder, entry, there))) write.push(entry);
    else if (modeOf(there.stats) !== entry.mode) mode.push(entry);
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

/** Whether there is nothing to do but, perhaps, modes of folders. */
export function isEmpty({ remove, make, write, link, mode }: Plan): boolean {
  return [remove, make, write, link, mode].every((list) => list.length === 0);
}

async function holds(
  { root, contents, known }: KeptFolder,
  entry: FileEntry,
  found: Found,
): Promise<boolean> {
  if (found.stats.size !== BigInt(entry.size)) return false;
  const hash =
    known.hash(entry.path, found.stats) ?? (await contents.hashOf(join(root, entry.path)));
  return hash === entry.hash;
}

function kindOf(found: Found | undefined): TreeEntry['kind'] | undefined {
  if (found === undefined) return undefined;
  if (found.target !== undefined) return 'link';
  if (found.stats.isDirectory()) return 'folder';
  return found.stats.isFile() ? 'file' : undefined;
}
