import { readFileSync, statSync } from 'node:fs';
import { hashText } from '../../../../core/hash.js';
import { contentState, folderStates, isSearched } from '../../../../node/folder-state.js';
import { placeIn, rootOf } from '../../../../node/inside-root.js';
import { systemClock } from '../../../../ports/clock.js';
import { isLoadable, type ReadFolder } from '../page-files.js';

const mostBytes = 5_000_000;

/** Neither `..` nor a symbolic link leads out of the folder. */
export function folderReader(folder: string): ReadFolder {
  const root = rootOf(folder, false);
  return async (path) => {
    try {
      const place = placeIn(root, path);
      if (!place.exists || !isLoadable(place.path)) return undefined;
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
  if (!isLoadable(path) || !path.split('/').slice(0, -1).every(isSearched)) return undefined;
  try {
    return placeIn(rootOf(folder, false), path).exists;
  } catch {
    return undefined;
  }
}

const byContent = contentState(mostBytes);
const rememberedMs = 100;
let remembered: { folder: string; stateOf: unknown; at: number; state: string } | undefined;

/**
 * Changes when a file is added or removed that pages of a folder may load, or when its state
 * changes.
 */
export function folderState(folder: string | undefined, stateOf = byContent): string {
  if (folder === undefined) return '';
  const now = systemClock.now();
  // all criteria of a review ask at the same time
  const isKnown = remembered?.folder === folder && remembered.stateOf === stateOf;
  if (!isKnown || remembered === undefined || now - remembered.at >= rememberedMs) {
    const state = hashText(folderStates(folder, { stateOf, counts: isLoadable }).join('\n'));
    remembered = { folder, stateOf, at: systemClock.now(), state };
  }
  return remembered.state;
}
