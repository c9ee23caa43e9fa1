import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isReviewError } from '../core/errors.js';
import { isMissing } from './durable.js';
import { readTextFile } from './files.js';

/**
 * Follows no symbolic link, and waits for no pipe: a store that somebody else wrote cannot name
 * other files, nor devices that never end.
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

/** `undefined` if the file does not exist. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return openPlainFile(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

export async function readPlainFile(path: string): Promise<Buffer> {
  const handle = await openPlainFile(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export async function readPlainText(path: string): Promise<string> {
  return (await readPlainFile(path)).toString('utf8');
}

/** `undefined` if the file is missing, not text, too large, or behind a symbolic link. */
export async function readRegularFile(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const root = await realpath(folder);
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (
    real === undefined ||
    real !== join(root, ...path.split('/')) ||
    !real.startsWith(`${root}${sep}`)
  )
    return undefined;
  try {
    const found = await readTextFile(real, { maxBytes });
    return found.kind === 'text' ? found.text : undefined;
  } catch (error) {
    if (isReviewError(error)) return undefined;
    throw error;
  }
}
