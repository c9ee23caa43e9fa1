import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a regular file for reading. It follows no symbolic link, and waits for no pipe: a store that
 * somebody else wrote cannot name other files, nor devices that never end.
 *
 * @throws Error of the file system, or one that says that it is not a file
 */
export async function openPlainFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if ((await handle.stat()).isFile()) return handle;
    throw new Error('it is not a regular file');
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a regular file as {@link openPlainFile} opens it. @throws Error as `openPlainFile` */
export async function readPlainFile(path: string): Promise<Buffer> {
  const handle = await openPlainFile(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Reads the text of a regular file as {@link openPlainFile} opens it. @throws as `openPlainFile` */
export async function readPlainText(path: string): Promise<string> {
  return (await readPlainFile(path)).toString('utf8');
}
