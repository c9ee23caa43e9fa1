import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, open, readFile } from 'node:fs/promises';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { makeFolders, writeDurably } from './durable.js';
import { nodeErrors } from './errors.js';
import { readProblem } from './read-problem.js';

/** What is in a file: its text, or why it is not one. */
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

/** How much of a file is looked at before all of it is read. */
const headBytes = 8192;

/**
 * Reads a text file within a bound; a binary one is told by its first bytes, whatever its size.
 *
 * @throws ReviewLoopError `file_unreadable`, `file_too_large`
 */
export async function readTextFile(
  path: string,
  { shown = path, maxBytes }: { readonly shown?: string; readonly maxBytes: number },
): Promise<FileContent> {
  const handle = await opened(path, shown);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(headBytes, Math.max(size, 1)));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (head.subarray(0, bytesRead).includes(0)) return { kind: 'binary' };
    if (size > maxBytes)
      throw new ReviewLoopError(
        nodeErrors.file_too_large,
        `${shown} has ${size} bytes, more than the ${maxBytes} allowed`,
        { value: shown },
      );
    return textOf(await handle.readFile());
  } catch (error) {
    if (error instanceof ReviewLoopError) throw error;
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `cannot read ${shown}: ${readProblem(error)}`,
      {
        cause: error,
        value: shown,
      },
    );
  } finally {
    await handle.close();
  }
}

async function opened(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `cannot read ${shown}: ${readProblem(error)}`,
      {
        cause: error,
        value: shown,
      },
    );
  }
}

/** Tells text from what is none. A byte order mark is taken off, and remembered. */
export function textOf(bytes: Buffer): FileContent {
  const found = decoded(bytes);
  return found.kind === 'text'
    ? { ...found, bytes: bytes.length, digest: digestOfBytes(bytes) }
    : { kind: found.kind };
}

/** The text of some bytes, without its byte order mark; a NUL byte makes them binary. */
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

/** The digest of a file as it is on the disk now; `undefined` when it cannot be read. */
export async function digestOfFile(path: string): Promise<string | undefined> {
  try {
    return digestOfBytes(await readFile(path));
  } catch {
    return undefined;
  }
}

/** The digest of the bytes of a file, or of the text that it would be written with. */
export function digestOfBytes(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Writes a file for users, as {@link writeDurably} does: whole and for good, or not at all.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function writeFileAtomic(path: string, text: string): Promise<void> {
  try {
    await writeDurably(path, text);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `${path} cannot be written: ${messageOf(error)}`,
      { cause: error, value: path },
    );
  }
}

/**
 * Makes a folder and those above it.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `the folder ${path} cannot be made: ${messageOf(error)}`,
      { cause: error, value: path },
    );
  }
}

/** Whether a path leads to something; what may not be looked at is not there. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
