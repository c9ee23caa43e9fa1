import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { privateMode, systemCode } from './durable.js';
import { makeStoreFolder } from './store-folder.js';

/**
 * Creates a folder inside `ours`. If `ours` was missing or empty, it gets a `.gitignore`, so that
 * git ignores it. Symbolic links between the two are refused.
 *
 * @returns The highest folder that was created; `undefined` if all existed.
 */
export async function makeIgnoredFolder(ours: string, folder: string): Promise<string | undefined> {
  const isNew = await readdir(ours).then(
    (names) => names.length === 0,
    () => true,
  );
  const made = await makeStoreFolder(ours, folder);
  if (isNew) await addGitignore(ours);
  return made;
}

/** Writes a `.gitignore` for everything in a folder, unless the folder has one. */
export async function addGitignore(folder: string): Promise<void> {
  try {
    const handle = await open(join(folder, '.gitignore'), 'wx', privateMode);
    try {
      await handle.writeFile('*\n');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
