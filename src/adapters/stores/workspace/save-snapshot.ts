import { join } from 'node:path';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { systemClock } from '../../../ports/clock.js';
import { storeErrors } from '../errors.js';
import { type ContentStore, encodeTree, type TreeEntry } from './content-store.js';
import {
  fileStamp,
  type HashCache,
  type IgnoredPaths,
  modeOf,
  type ScannedEntry,
  scanFolder,
  shown,
} from './scan-folder.js';

export interface WorkspaceFolder {
  readonly root: string;
  readonly ignored: IgnoredPaths;
  readonly contents: ContentStore;
  readonly hashes: HashCache;
}

const width = 8;

const attempts = 4;
/** It grows with each attempt. */
const pauseMs = 100;

/** If the tree changes meanwhile, reads it again, up to four times in all. */
export async function saveSnapshot(folder: WorkspaceFolder): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await trySnapshot(folder);
    } catch (error) {
      if (attempt === attempts || !isReviewError(error) || error.code !== 'workspace_changed')
        throw error;
      await new Promise<void>((resolve) => systemClock.after(pauseMs * attempt, resolve));
    }
  }
}

async function trySnapshot(folder: WorkspaceFolder): Promise<string> {
  const { root, ignored, contents, hashes } = folder;
  const at = systemClock.now();
  const found = await scanFolder({ root, ignored, toReplace: false });
  const entries: TreeEntry[] = [];
  const files: {
    readonly path: string;
    readonly stats: ScannedEntry['stats'];
    readonly hash: string;
  }[] = [];
  await mapBounded(found, width, async (scanned) => {
    const entry = await entryOf(folder, scanned);
    entries.push(entry);
    if (entry.kind === 'file')
      files.push({ path: entry.path, stats: scanned.stats, hash: entry.hash });
  });
  checkUnchanged(found, await scanFolder({ root, ignored, toReplace: false }));
  const { text, digest } = encodeTree(entries);
  await contents.saveTree(digest, text);
  hashes.replace(files, at);
  return digest;
}

async function entryOf(
  { root, contents, hashes }: WorkspaceFolder,
  found: ScannedEntry,
): Promise<TreeEntry> {
  const { path, stats, target } = found;
  if (stats.isDirectory()) return { path, kind: 'folder', mode: modeOf(stats) };
  if (target !== undefined) return { path, kind: 'link', target };
  if (!stats.isFile())
    throw new ReviewLoopError(
      storeErrors.workspace_unreadable,
      `${shown(path)} is ${kindOf(found)}, which a snapshot cannot contain`,
      { value: path },
    );
  const hash = hashes.hash(path, stats) ?? (await contents.save(join(root, path), found));
  return { path, kind: 'file', mode: modeOf(stats), size: Number(stats.size), hash };
}

function kindOf({ stats }: ScannedEntry): string {
  if (stats.isFIFO()) return 'a pipe (fifo)';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

/** A snapshot of changed entries would mix two states. */
function checkUnchanged(before: readonly ScannedEntry[], after: readonly ScannedEntry[]): void {
  const stamps = new Map(before.map(({ path, stats }) => [path, fileStamp(stats)]));
  const changed = after.find(({ path, stats }) => stamps.get(path) !== fileStamp(stats));
  if (changed !== undefined)
    throw new ReviewLoopError(
      storeErrors.workspace_changed,
      `${shown(changed.path)} changed while the folder was read`,
      { value: changed.path },
    );
  if (after.length !== before.length)
    throw new ReviewLoopError(
      storeErrors.workspace_changed,
      'an entry was removed while the folder was read',
    );
}
