import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The code of an error of the operating system, as in `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Whether the operating system says that there is nothing of that name. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

/** Writes all bytes where a handle stands, which in append mode is the end, in one system call where the system takes them at once. */
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

const temporary = /^\.reviewloop-[0-9a-f]{16}\.tmp$/;

/** Sixteen digits that no other file has in its name. */
export function randomHex(): string {
  return randomBytes(8).toString('hex');
}

/** Where a file stands before it takes its place. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.reviewloop-${randomHex()}.tmp`);
}

/** Whether a name is that of a file that was being written, or still is: a process that dies leaves it behind. */
export function isTemporary(name: string): boolean {
  return temporary.test(name);
}

/**
 * Puts a file in its place whole or not at all: written beside, flushed, renamed.
 *
 * @param write - Says whether what it wrote is right; when it is not, nothing changes.
 * @param mode - What may be done with the file. @default what may be done with the one that is replaced
 */
export async function replaceFile(
  path: string,
  write: (target: FileHandle) => Promise<boolean>,
  mode?: number,
): Promise<boolean> {
  const beside = temporaryBeside(path);
  try {
    const kept = mode ?? (await modeOf(path));
    const target = await open(beside, 'wx', kept === undefined ? 0o666 : 0o600);
    let right: boolean;
    try {
      right = await write(target);
      if (kept !== undefined) await target.chmod(kept);
      await target.sync();
    } finally {
      await target.close();
    }
    if (right) await rename(beside, path);
    else await rm(beside, { force: true });
    return right;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
}

/** Writes a file that is there whole and for good once this resolves: its name is flushed, too. */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  await replaceFile(path, (target) => writeWhole(target, bytes).then(() => true));
  await syncFolder(dirname(path));
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return undefined;
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
