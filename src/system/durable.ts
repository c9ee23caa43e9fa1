import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The code of an error of the operating system, as in `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the operating system says that there is nothing of that name. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

/** Writes all bytes at the end of what a handle in append mode has open, in one system call where the system takes them at once. */
export async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

/** Makes the names in a folder survive a loss of power. Windows cannot open folders and needs none of it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file that is there whole and for good once this resolves: written beside, flushed, renamed, the name flushed. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx');
    try {
      await writeWhole(handle, bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Makes a folder and those above it; the highest one that was made, `undefined` when all were there. The recursive `mkdir`
 * of Node never returns where the system answers ENOENT for a folder whose parent exists, as below `/proc`.
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  if (await madeOne(path, true)) return path;
  const parent = dirname(path);
  if (parent === path || (await isFolder(path))) return undefined;
  const above = await makeFolders(parent);
  const made = await madeOne(path, false);
  return above ?? (made ? path : undefined);
}

/** Makes one folder; false when it is there, or its parent may be missing. */
async function madeOne(path: string, parentMayBeMissing: boolean): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (parentMayBeMissing && isMissing(error)) return false;
    if (systemCode(error) === 'EEXIST' && (await isFolder(path))) return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
