import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../../core/hash.js';
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

const rememberedMs = 500;
let remembered: { folder: string; at: number; state: string } | undefined;

/** Returns what changes when a file changes that pages of a folder may load. */
export function folderState(folder: string | undefined): string {
  if (folder === undefined) return '';
  // all criteria of a review ask at the same time
  if (remembered?.folder === folder && systemClock.now() - remembered.at < rememberedMs)
    return remembered.state;
  const state = hashText(filesIn(folder));
  remembered = { folder, at: systemClock.now(), state };
  return state;
}

/** Returns the sizes and times of the files that pages may load, as one text. */
function filesIn(folder: string): string {
  const found: string[] = [];
  const waiting = [''];
  for (let count = 0; waiting.length > 0; count += 1) {
    // what was not seen may change at any time
    if (count > mostFolders || found.length > mostFiles) return `more, at ${systemClock.now()}`;
    const below = waiting.pop() ?? '';
    const pathOf = ({ name }: Dirent): string => (below === '' ? name : `${below}/${name}`);
    const entries = entriesOf(join(folder, below));
    waiting.push(...entries.filter(isSearched).map(pathOf));
    const files = entries.filter((entry) => entry.isFile() && loadable.has(endingOf(entry.name)));
    found.push(...files.map(pathOf).map((path) => stateOf(join(folder, path), path)));
  }
  return found.sort().join('\n');
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

function stateOf(place: string, path: string): string {
  const stats = statSync(place, { throwIfNoEntry: false });
  return `${path} ${stats?.size ?? 0} ${Math.round(stats?.mtimeMs ?? 0)}`;
}
