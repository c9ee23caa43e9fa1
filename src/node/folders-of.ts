import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { skippedFolders } from './list-files.js';

/**
 * Returns a folder with all folders below it that are searched for files. For a file, or a path that
 * does not exist, it returns the folder above.
 */
export async function foldersOf(path: string): Promise<string[]> {
  const found = await foldersBelow(path);
  return found === undefined ? [dirname(path)] : [path, ...found];
}

/** Returns the root of the repository that contains a folder. */
export function repositoryAbove(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryAbove(above);
}

async function foldersBelow(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  const own = entries?.filter((entry) => entry.isDirectory() && !skippedFolders.has(entry.name));
  const all = own?.map(async ({ name }) => {
    const path = join(folder, name);
    return [path, ...((await foldersBelow(path)) ?? [])];
  });
  return all && (await Promise.all(all)).flat();
}
