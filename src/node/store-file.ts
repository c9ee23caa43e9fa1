import { lstat, readdir, rm, stat } from 'node:fs/promises';
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
