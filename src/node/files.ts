import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, lstat, open, readFile, stat, utimes } from 'node:fs/promises';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { isMissing, makeFolders, type NewFile, systemCode, writeDurably } from './durable.js';
import { nodeErrors } from './errors.js';

export type FileContent =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly bom: boolean;
      readonly bytes: number;
      readonly digest: string;
    }
  | { readonly kind: 'binary' }
  | { readonly kind: 'not_utf8' };

/** Bytes that decide whether a file is binary, before the rest of it is read. */
const headBytes = 8192;

/** The first bytes identify a binary file of any size. */
export async function readTextFile(
  path: string,
  { shown = path, maxBytes }: { readonly shown?: string; readonly maxBytes: number },
): Promise<FileContent> {
  const handle = await opened(path, shown);
  try {
    const stats = await handle.stat();
    if (!stats.isFile())
      throw new Error(stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    const { size } = stats;
    const head = Buffer.alloc(Math.min(headBytes, Math.max(size, 1)));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (head.subarray(0, bytesRead).includes(0)) return { kind: 'binary' };
    if (size > maxBytes)
      throw new ReviewLoopError(
        nodeErrors.file_too_large,
        `${shown} has ${size} bytes; at most ${maxBytes} are allowed`,
        { value: shown },
      );
    return textOf(await handle.readFile());
  } catch (error) {
    throw error instanceof ReviewLoopError ? error : unreadableFile(shown, error);
  } finally {
    await handle.close();
  }
}

async function opened(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const leadsNowhere = isMissing(error) && (await isThere(path));
    throw unreadableFile(shown, leadsNowhere ? new Error('it is a link to nothing') : error);
  }
}

export async function readText(
  path: string,
  options: { readonly shown?: string; readonly maxBytes: number },
): Promise<string> {
  const found = await readTextFile(path, options);
  if (found.kind === 'text') return found.text;
  throw unreadableFile(options.shown ?? path, new Error('it is not a UTF-8 text'));
}

/** Leaves out a byte order mark, which `bom` reports. */
export function textOf(bytes: Buffer): FileContent {
  const found = decoded(bytes);
  return found.kind === 'text'
    ? { ...found, bytes: bytes.length, digest: digestOfBytes(bytes) }
    : { kind: found.kind };
}

/** Leaves out a byte order mark. A NUL byte makes the bytes binary. */
export function decoded(bytes: Buffer): {
  readonly kind: 'text' | 'binary' | 'not_utf8';
  readonly text: string;
  readonly bom: boolean;
} {
  if (bytes.includes(0)) return { kind: 'binary', text: '', bom: false };
  if (!isUtf8(bytes)) return { kind: 'not_utf8', text: '', bom: false };
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { kind: 'text', text: bytes.toString('utf8', bom ? 3 : 0), bom };
}

/** `undefined` if the file cannot be read. */
export async function digestOfFile(path: string): Promise<string | undefined> {
  try {
    return digestOfBytes(await readFile(path));
  } catch {
    return undefined;
  }
}

export function digestOfBytes(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes a file completely and durably, or not at all. */
export async function writeFileAtomic(
  path: string,
  text: string,
  options?: NewFile,
): Promise<void> {
  try {
    await writeDurably(path, text, options);
  } catch (error) {
    throw unwritableFile(path, error);
  }
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot create the folder ${path}: ${systemReason(error)}`,
      { cause: error, value: path },
    );
  }
}

/** Also for a link to nothing; false if that cannot be seen. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** `undefined` if the file is missing, unreadable or too large. */
export async function readSmallFile(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const bytes = await readFile(path);
    return bytes.length > maxBytes ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

/**
 * Keeps the timestamps: git compares the time of its index with that of files to find out which
 * files to read again. Returns whether the file exists.
 */
export async function copyIfPresent(from: string, to: string): Promise<boolean> {
  try {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export function unreadableFile(path: string, cause: unknown): ReviewLoopError {
  const reason = isMissing(cause) ? 'no such file' : systemReason(cause);
  return new ReviewLoopError(nodeErrors.file_unreadable, `cannot read ${path}: ${reason}`, {
    cause,
    value: path,
  });
}

export function unwritableFile(path: string, cause: unknown): ReviewLoopError {
  return new ReviewLoopError(
    nodeErrors.output_unwritable,
    `cannot write ${path}: ${systemReason(cause)}`,
    {
      cause,
      value: path,
    },
  );
}

/**
 * As in `permission denied`. Node adds a code, the name of the call and the path, which the
 * messages of this library already contain.
 */
export function systemReason(error: unknown): string {
  if (systemCode(error) === 'ELOOP') return 'it is a symbolic link, which is not followed';
  const message = messageOf(error);
  const [, reason] = /^E[A-Z0-9]+: (.+?), [a-z]+(?: .*)?$/s.exec(message) ?? [];
  return reason ?? message;
}

/**
 * `undefined` if the file is missing. A write changes the state, also one that brings the old
 * content and time back.
 */
export async function fileState(path: string): Promise<string | undefined> {
  try {
    const { mode, ino, size, mtimeMs, ctimeMs } = await lstat(path);
    return `${mode.toString(8)} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : String(code);
  }
}
