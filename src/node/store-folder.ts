import { lstat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { makeFolders } from './durable.js';
import { nodeErrors } from './errors.js';
import { makeFolder, writeFileAtomic } from './files.js';
import { mountOf } from './mounted-folder.js';

/**
 * Refuses a path below a folder if a symbolic link stands between them, or in its place. Such a
 * link would lead writes out of the folder. The folder itself may be a link.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function refuseLinks(folder: string, path: string): Promise<void> {
  let place = folder;
  for (const part of relative(folder, path).split(sep)) {
    place = join(place, part);
    // what cannot be seen cannot be written either, and the write says why
    const found = await lstat(place).catch(() => undefined);
    if (found === undefined) return;
    if (found.isSymbolicLink())
      throw new ReviewLoopError(
        nodeErrors.output_unwritable,
        `cannot write ${path}: ${place} is a symbolic link; remove it`,
        { value: place },
      );
  }
}

/**
 * Creates a folder inside a store, without following symbolic links in it.
 *
 * @returns The highest folder that was created; `undefined` if all existed.
 * @throws ReviewLoopError `output_unwritable`
 */
export async function makeStoreFolder(store: string, folder: string): Promise<string | undefined> {
  await refuseLinks(store, folder);
  return makeFolders(folder);
}

/**
 * Writes a file inside a store, completely or not at all, and creates the folders above it. It
 * follows no symbolic link in the store. A mounted store writes the file in its own place.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function writeInStore(store: string, path: string, text: string): Promise<void> {
  const mount = mountOf(path);
  if (mount !== undefined) return mount.files.write(mount.path, text);
  await refuseLinks(store, dirname(path));
  await makeFolder(dirname(path));
  await writeFileAtomic(path, text);
}
