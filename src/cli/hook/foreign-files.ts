import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mapBounded } from '../../core/map-bounded.js';
import { fileState } from '../../node/file-state.js';

/** The folders of a store in which this package makes folders and copies. */
const ownFolders =
  /^(?:runs|sessions|cache|calibration|certificates|gates|lessons|attempts|questions|set-aside|states|tasks|work|workspaces|worktrees)\/./;

/** The files that this package writes beside them. */
const ownFiles =
  /(?:^|\/)(?:\.gitignore|hook-off|hooks\.jsonl)$|\.(?:jsonl?|lock|tmp|db(?:-\w+)?)$/;

const isLock = /(?:^|[./])lock$/;

/** The largest number of files that are compared. */
const most = 1000;

/** Returns the states of files in the folder of this package that it does not write, by path. */
export async function foreignFiles(store: string): Promise<Record<string, string>> {
  const found = (await foreignIn(store, '')).sort().slice(0, most);
  const states = await mapBounded(found, 16, async (path) => [
    `.reviewloop/${path}`,
    (await fileState(join(store, path))) ?? 'gone',
  ]);
  return Object.fromEntries(states);
}

async function foreignIn(store: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(store, folder), { withFileTypes: true }).catch(() => []);
  const found = entries.map(({ name }) => (folder === '' ? name : `${folder}/${name}`));
  const below = await mapBounded(entries, 4, async (entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() && !ownFolders.test(path) && !isLock.test(path)
      ? foreignIn(store, path)
      : [];
  });
  const files = found.filter(
    (path, index) => !entries[index]?.isDirectory() && !ownFiles.test(path),
  );
  return [...files, ...below.flat()];
}
