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

/** A file may be cut meanwhile: then there are fewer bytes. */
export async function bytesFrom(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Reads only the end of a file. Bytes after `end` belong to a line without a line feed. */
export async function lastLine(
  handle: FileHandle,
): Promise<{ readonly line: Buffer | undefined; readonly end: number; readonly size: number }> {
  const { size } = await handle.stat();
  for (let wanted = 4096; ; wanted *= 4) {
    const from = Math.max(0, size - wanted);
    const bytes = await bytesFrom(handle, from, size);
    const end = bytes.lastIndexOf(10);
    const before = end <= 0 ? -1 : bytes.lastIndexOf(10, end - 1);
    if (before === -1 && from > 0) continue;
    const line = end === -1 ? undefined : bytes.subarray(before + 1, end);
    return { line, end: from + end + 1, size };
  }
}
