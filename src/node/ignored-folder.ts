import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, systemCode } from './durable.js';

/**
 * Makes a folder inside of one that is ours. Where that was empty, or not there, it is kept out of version control.
 *
 * @returns The highest folder that was made; `undefined` when all were there.
 */
export async function makeOwnFolder(ours: string, folder: string): Promise<string | undefined> {
  const isNew = await readdir(ours).then(
    (names) => names.length === 0,
    () => true,
  );
  const made = await makeFolders(folder);
  if (isNew) await ignoreAll(ours);
  return made;
}

/** Keeps a folder out of version control, unless it says itself what is kept out. */
export async function ignoreAll(folder: string): Promise<void> {
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
