import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

/** In one system call if the system allows it. */
export async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

/** Does nothing on Windows, which cannot open folders. */
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

export function randomHex(): string {
  return randomBytes(8).toString('hex');
}

export function temporaryBeside(path: string): string {
  return join(dirname(path), `.reviewloop-${randomHex()}.tmp`);
}

/** A killed process leaves such files behind. */
export function isTemporary(name: string): boolean {
  return temporary.test(name);
}

/**
 * Replaces a file completely or not at all: writes a temporary file, flushes and renames it.
 *
 * @param write - Returns whether what it wrote is right; if not, nothing changes.
 * @param mode - Permission bits. @default those of the replaced file; for a new file, its owner's
 */
export async function replaceFile(
  path: string,
  write: (target: FileHandle) => Promise<boolean>,
  mode?: number,
): Promise<boolean> {
  const beside = temporaryBeside(path);
  try {
    const permissions = mode ?? (await modeOf(path));
    const isShared = permissions === sharedMode;
    const target = await open(beside, 'wx', isShared ? sharedMode : privateMode);
    let right: boolean;
    try {
      right = await write(target);
      if (permissions !== undefined && !isShared) await target.chmod(permissions);
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

export interface NewFile {
  /**
   * Whether a new file is meant for others. Its mode then depends on the umask of the process.
   *
   * @default false
   */
  readonly shared?: boolean | undefined;
}

/**
 * When this resolves, the file survives a loss of power. Only its owner can read a new file, unless
 * it is shared. A symbolic link is replaced, not followed.
 */
export async function writeDurably(
  path: string,
  content: Uint8Array | string,
  { shared = false }: NewFile = {},
): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const mode = shared ? ((await modeOf(path)) ?? sharedMode) : undefined;
  await replaceFile(path, (target) => writeWhole(target, bytes).then(() => true), mode);
  await syncFolder(dirname(path));
}

/** Flags that append to a file and create it. A symbolic link is refused, not followed. */
export const appendFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** As for appending, but also for reading; a pipe is not waited for. */
export const readAppendFlags =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

/** Permission bits of new files, and of files for others before the umask. */
export const privateMode = 0o600;
const sharedMode = 0o666;

/** `undefined` if the file is missing, or is a link. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? undefined : found.mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * For their owner only. The recursive `mkdir` of Node never returns if the system answers ENOENT
 * for a folder whose parent exists, as below `/proc`.
 *
 * @returns The highest folder that was created; `undefined` if all existed.
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  if (await makeOne(path, true)) return path;
  const parent = dirname(path);
  if (parent === path || (await isFolder(path))) return undefined;
  const above = await makeFolders(parent);
  const made = await makeOne(path, false);
  return above ?? (made ? path : undefined);
}

/** False if the folder exists, or if its parent is missing and may be. */
async function makeOne(path: string, parentMayBeMissing: boolean): Promise<boolean> {
  try {
    await mkdir(path, 0o700);
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
