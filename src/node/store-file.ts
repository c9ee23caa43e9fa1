import { lstat, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { makeFolders, privateMode, systemCode } from './durable.js';
import { nodeErrors } from './errors.js';
import { makeFolder, writeFileAtomic } from './files.js';
import { mountOf } from './mounted-folder.js';
import { readPlainText } from './plain-file.js';

/**
 * Reads a file of a store, on this disk or mounted.
 *
 * @throws Error with the code `ENOENT` if there is none, or another error of the file system
 */
export async function readStoreFile(path: string): Promise<string> {
  const mount = mountOf(path);
  if (mount === undefined) return readPlainText(path);
  const text = await mount.files.read(mount.path);
  if (text !== undefined) return text;
  throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), {
    code: 'ENOENT',
  });
}

/**
 * Lists the names in a folder of a store. A missing folder of this disk is an error, `ENOENT`. A link
 * is not followed: it is an error, `ELOOP`.
 */
export async function listStoreFolder(path: string): Promise<readonly string[]> {
  const mount = mountOf(path);
  if (mount !== undefined) return mount.files.list(mount.path);
  if ((await lstat(path)).isSymbolicLink())
    throw Object.assign(
      new Error(`ELOOP: too many symbolic links encountered, scandir '${path}'`),
      {
        code: 'ELOOP',
      },
    );
  return readdir(path);
}

/** Returns when a file of a store was written, in milliseconds since 1970. */
export async function storeFileTime(path: string): Promise<number | undefined> {
  const mount = mountOf(path);
  if (mount !== undefined) return mount.files.changedAt(mount.path);
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}

/** Removes a file of a store, or a folder with everything in it. */
export async function removeFromStore(path: string): Promise<void> {
  const mount = mountOf(path);
  if (mount === undefined) await rm(path, { recursive: true, force: true });
  else await mount.files.remove(mount.path);
}

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
