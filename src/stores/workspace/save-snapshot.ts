import { join } from 'node:path';
import { isReviewError, ReviewLoopError } from '../../core/errors.js';
import { systemClock } from '../../ports/clock.js';
import { mapBounded } from '../../ports/limiter.js';
import { storeErrors } from '../errors.js';
import type { Contents } from './contents.js';
import type { LeftOut } from './ignored-paths.js';
import { type KnownHashes, stampOf } from './known-hashes.js';
import { encodeTree, type TreeEntry } from './manifest.js';
import { type Found, modeOf, shown, walk } from './walk.js';

/** A folder with what is kept of it. */
export interface KeptFolder {
  readonly root: string;
  readonly leftOut: LeftOut;
  readonly contents: Contents;
  readonly known: KnownHashes;
}

/** How many files are read side by side. */
const width = 8;

const attempts = 4;
const pauseMs = 100;

/**
 * Keeps the present tree of a folder, and gives its digest. A tree that changes meanwhile is read again, a few times.
 *
 * @throws ReviewLoopError `workspace_changed`, `workspace_unreadable`
 */
export async function keepTree(folder: KeptFolder): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToKeep(folder);
    } catch (error) {
      if (attempt === attempts || !isReviewError(error) || error.code !== 'workspace_changed')
        throw error;
      await new Promise<void>((resolve) => systemClock.after(pauseMs * attempt, resolve));
    }
  }
}

async function tryToKeep(folder: KeptFolder): Promise<string> {
  const { root, leftOut, contents, known } = folder;
  const at = systemClock.now();
  const found = await walk({ root, leftOut, toReplace: false });
  const entries: TreeEntry[] = [];
  const files: { readonly path: string; readonly stats: Found['stats']; readonly hash: string }[] =
    [];
  await mapBounded(found, width, async (one) => {
    const entry = await entryOf(folder, one);
    entries.push(entry);
    if (entry.kind === 'file') files.push({ path: one.path, stats: one.stats, hash: entry.hash });
  });
  checkUnchanged(found, await walk({ root, leftOut, toReplace: false }));
  const { text, digest } = encodeTree(entries);
  await contents.putTree(digest, text);
  known.replace(files, at);
  return digest;
}

async function entryOf({ root, contents, known }: KeptFolder, found: Found): Promise<TreeEntry> {
  const { path, stats, target } = found;
  if (stats.isDirectory()) return { path, kind: 'folder', mode: modeOf(stats) };
  if (target !== undefined) return { path, kind: 'link', target };
  if (!stats.isFile())
    throw new ReviewLoopError(
      storeErrors.workspace_unreadable,
      `${shown(path)} is ${kindOf(found)}, which cannot be kept`,
      { value: path },
    );
  const hash = known.hash(path, stats) ?? (await contents.put(join(root, path), found));
  return { path, kind: 'file', mode: modeOf(stats), size: Number(stats.size), hash };
}

function kindOf({ stats }: Found): string {
  if (stats.isFIFO()) return 'a pipe (fifo)';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

/** What was read belongs to one state only if nothing has changed since it was looked at. */
function checkUnchanged(before: readonly Found[], after: readonly Found[]): void {
  const stamps = new Map(before.map(({ path, stats }) => [path, stampOf(stats)]));
  const changed = after.find(({ path, stats }) => stamps.get(path) !== stampOf(stats));
  if (changed !== undefined)
    throw new ReviewLoopError(
      storeErrors.workspace_changed,
      `${shown(changed.path)} changed while the folder was read`,
      { value: changed.path },
    );
  if (after.length !== before.length)
    throw new ReviewLoopError(
      storeErrors.workspace_changed,
      'something was removed while the folder was read',
    );
}
