import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, systemCode } from './durable.js';

/**
 * Creates a folder inside `ours`. If `ours` was missing or empty, it gets a `.gitignore`, so that
 * git ignores it.
 *
 * @returns The highest folder that was created; `undefined` if all existed.
 */
export async function makeIgnoredFolder(ours: string, folder: string): Promise<string | undefined> {
  const isNew = await readdir(ours).then(
    (names) => names.length === 0,
    () => true,
  );
  const made = await makeFolders(folder);
  if (isNew) await addGitignore(ours);
  return made;
}

/** Writes a `.gitignore` for everything in a folder, unless the folder has one. */
export async function addGitignore(folder: string): Promise<void> {
  try {
    const handle = await open(join(folder, '.gitignore'), 'wx');
    try {
      await handle.writeFile('*\n');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
