import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../../core/hash.js';
import { digestOfBytes } from '../../../node/files.js';
import { placeIn, rootOf } from '../../../node/inside-root.js';
import { skippedFolders } from '../../../node/list-files.js';
import { systemClock } from '../../../ports/clock.js';
import { endingOf, loadable, type ReadFolder } from '../page-files.js';

const mostFiles = 5000;
const mostFolders = 2000;
const mostBytes = 5_000_000;

/** Creates the reader of a folder. Neither `..` nor a symbolic link leads out of it. */
export function folderReader(folder: string): ReadFolder {
  const root = rootOf(folder, false);
  return async (path) => {
    try {
      const place = placeIn(root, path);
      if (!place.exists || !loadable.has(endingOf(place.path))) return undefined;
      const stats = statSync(place.path);
      return stats.isFile() && stats.size <= mostBytes ? readFileSync(place.path) : undefined;
    } catch {
      return undefined;
    }
  };
}

/**
 * Returns whether a folder has a file, `undefined` for what {@link folderState} does not tell: files
 * of other kinds, in skipped folders, and outside.
 */
export function folderHas(folder: string, path: string): boolean | undefined {
  const folders = path.split('/').slice(0, -1);
  if (
    !loadable.has(endingOf(path)) ||
    folders.some((name) => name.startsWith('.') || skippedFolders.has(name))
  )
    return undefined;
  try {
    return placeIn(rootOf(folder, false), path).exists;
  } catch {
    return undefined;
  }
}

const rememberedMs = 100;
let remembered: { folder: string; stateOf: typeof digestOf; at: number; state: string } | undefined;

/**
 * Returns what changes when a file is added or removed that pages of a folder may load, or when its
 * state changes.
 *
 * @param stateOf - Returns the state of a file. @default its content
 */
export function folderState(folder: string | undefined, stateOf = digestOf): string {
  if (folder === undefined) return '';
  const last = remembered;
  // all criteria of a review ask at the same time
  const isKnown = last?.folder === folder && last.stateOf === stateOf;
  if (isKnown && systemClock.now() - last.at < rememberedMs) return last.state;
  const state = hashText(statesIn(folder, stateOf, isLoadable).join('\n'));
  remembered = { folder, stateOf, at: systemClock.now(), state };
  return state;
}

/** Returns the state of the files below a folder, each with its path, in the order of the paths. */
export function statesIn(
  folder: string,
  stateOf: (place: string) => string = stampOf,
  counts: (name: string) => boolean = () => true,
): string[] {
  const found: string[] = [];
  const waiting = [''];
  for (let count = 0; waiting.length > 0; count += 1) {
    // what was not seen may change at any time
    if (count > mostFolders || found.length > mostFiles) return [`more, at ${systemClock.now()}`];
    const below = waiting.pop() ?? '';
    const pathOf = ({ name }: Dirent): string => (below === '' ? name : `${below}/${name}`);
    const entries = entriesOf(join(folder, below));
    waiting.push(...entries.filter(isSearched).map(pathOf));
    const files = entries.filter((entry) => entry.isFile() && counts(entry.name)).map(pathOf);
    found.push(...files.map((path) => `${path} ${stateOf(join(folder, path))}`));
  }
  return found.sort();
}

function isLoadable(name: string): boolean {
  return loadable.has(endingOf(name));
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && !skippedFolders.has(entry.name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Returns the size and the times of a file. */
function stampOf(place: string): string {
  const stats = statSync(place, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`;
}

const mostDigests = 20_000;
/** Digests of files, by their place and stamp: an unchanged file is read once. */
const digests = new Map<string, string>();

/** Returns the digest of the content of a file. Too large files have no content for a page. */
function digestOf(place: string): string {
  const key = `${place}\0${stampOf(place)}`;
  const known = digests.get(key);
  if (known !== undefined) return known;
  if (digests.size >= mostDigests) digests.clear();
  const size = statSync(place, { throwIfNoEntry: false })?.size ?? 0;
  const digest = size > mostBytes ? 'too large' : contentDigest(place);
  digests.set(key, digest);
  return digest;
}

function contentDigest(place: string): string {
  try {
    return digestOfBytes(readFileSync(place));
  } catch {
    return 'unreadable';
  }
}
