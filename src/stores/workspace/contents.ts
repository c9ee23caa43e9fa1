import { createHash, hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import {
  isMissing,
  makeFolders,
  replaceFile,
  syncFolder,
  writeDurably,
} from '../../node/durable.js';
import { storeErrors } from '../errors.js';
import type { FileEntry } from './manifest.js';
import { type Found, shown, unreadable } from './walk.js';

/** How much of a file is in memory at a time. */
const chunkBytes = 262_144;
const zeros = Buffer.alloc(chunkBytes);

/** The contents of files and the lists of trees, each in a file of its own that is named by its hash. */
export class Contents {
  readonly #store: string;
  readonly #made = new Set<string>();
  readonly #unflushed = new Set<string>();

  constructor(store: string) {
    this.#store = store;
  }

  /** The list of a tree; `undefined` for one that is not kept. */
  async tree(digest: string): Promise<string | undefined> {
    if (!/^[0-9a-f]{64}$/.test(digest)) return undefined;
    const path = join(this.#store, 'trees', digest);
    try {
      const text = await readFile(path, 'utf8');
      await touch(path);
      return text;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new ReviewLoopError(
        storeErrors.workspace_damaged,
        `the list of state ${digest} cannot be read: ${messageOf(error)}`,
        { cause: error, value: digest },
      );
    }
  }

  /** Keeps the list of a tree, after everything in it. */
  async putTree(digest: string, text: string): Promise<void> {
    for (const folder of this.#unflushed) await syncFolder(folder);
    this.#unflushed.clear();
    const path = join(this.#store, 'trees', digest);
    if (await hasSize(path, Buffer.byteLength(text))) return touch(path);
    await this.#folder('trees');
    await writeDurably(path, text);
  }

  /**
   * Keeps what a file holds, and gives its hash.
   *
   * @throws ReviewLoopError `workspace_changed`, `workspace_unreadable`
   */
  async put(absolute: string, { path, stats }: Found): Promise<string> {
    const changed = (): ReviewLoopError =>
      new ReviewLoopError(
        storeErrors.workspace_changed,
        `${shown(path)} changed while it was read`,
        {
          value: path,
        },
      );
    const handle = await open(
      absolute,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    try {
      const opened = await handle.stat({ bigint: true });
      if (opened.ino !== stats.ino || opened.dev !== stats.dev || !opened.isFile()) throw changed();
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Number(stats.size) + 1));
      const { digest, bytes } = await digestOf(handle, buffer);
      if (BigInt(bytes) !== stats.size) throw changed();
      const file = await this.#place(digest);
      if (await hasSize(file, bytes)) return digest;
      if (bytes < buffer.length)
        await replaceFile(file, (target) => writeAt(target, buffer.subarray(0, bytes), 0), 0o600);
      else if (!(await copied(handle, file, { digest, mode: 0o600 }))) throw changed();
      this.#unflushed.add(join(file, '..'));
      return digest;
    } catch (error) {
      throw unreadable(path, error);
    } finally {
      await handle.close();
    }
  }

  /** Why the content of a file cannot be brought back; `undefined` when it is there, whole. */
  async wrongWith({ hash: digest, size }: FileEntry): Promise<string | undefined> {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size + 1));
    try {
      const handle = await open(this.#blob(digest), 'r');
      try {
        const found = await digestOf(handle, buffer);
        return found.digest === digest ? undefined : 'its content is not what was written';
      } finally {
        await handle.close();
      }
    } catch (error) {
      return messageOf(error);
    }
  }

  /** The hash of what a file holds; `undefined` where it cannot be read. */
  async hashOf(absolute: string): Promise<string | undefined> {
    const handle = await open(
      absolute,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ).catch(() => undefined);
    if (handle === undefined) return undefined;
    try {
      return (await digestOf(handle, Buffer.allocUnsafe(chunkBytes))).digest;
    } catch {
      return undefined;
    } finally {
      await handle.close();
    }
  }

  /** Brings a file back, whole or not at all; whatever stood in its place is replaced. */
  async bringBack({ hash: digest, mode, path }: FileEntry, absolute: string): Promise<void> {
    const handle = await open(this.#blob(digest), 'r');
    try {
      if (!(await copied(handle, absolute, { digest, mode })))
        throw new ReviewLoopError(
          storeErrors.workspace_damaged,
          `what was kept of ${shown(path)} is not what was written`,
          { value: path },
        );
    } finally {
      await handle.close();
    }
  }

  #blob(digest: string): string {
    return join(this.#store, 'blobs', digest.slice(0, 2), digest);
  }

  async #place(digest: string): Promise<string> {
    await this.#folder(join('blobs', digest.slice(0, 2)));
    return this.#blob(digest);
  }

  async #folder(name: string): Promise<void> {
    if (this.#made.has(name)) return;
    const folder = join(this.#store, name);
    if ((await makeFolders(folder)) !== undefined) await syncFolder(join(folder, '..'));
    this.#made.add(name);
  }
}

/** Shows that something is still in use. */
async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

async function hasSize(path: string, bytes: number): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size === bytes;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Calls back with one piece of a file after the other. */
async function eachChunk(
  handle: FileHandle,
  buffer: Buffer,
  use: (chunk: Buffer, at: number) => Promise<void> | void,
): Promise<number> {
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return at;
    await use(buffer.subarray(0, bytesRead), at);
    at += bytesRead;
  }
}

/** The hash of a file; one that is shorter than the buffer is in it afterwards. */
async function digestOf(
  handle: FileHandle,
  buffer: Buffer,
): Promise<{ readonly digest: string; readonly bytes: number }> {
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  if (bytesRead < buffer.length)
    return { digest: hash('sha256', buffer.subarray(0, bytesRead)), bytes: bytesRead };
  const all = createHash('sha256');
  const bytes = await eachChunk(handle, buffer, (chunk) => void all.update(chunk));
  return { digest: all.digest('hex'), bytes };
}

/** Copies a file; pieces that are all zeros stay holes. False, and no change, when it holds something else than it should. */
async function copied(
  source: FileHandle,
  path: string,
  { digest, mode }: { readonly digest: string; readonly mode: number },
): Promise<boolean> {
  const all = createHash('sha256');
  const write = async (target: FileHandle): Promise<boolean> => {
    const bytes = await eachChunk(source, Buffer.allocUnsafe(chunkBytes), async (chunk, at) => {
      all.update(chunk);
      if (!chunk.equals(zeros.subarray(0, chunk.length))) await writeAt(target, chunk, at);
    });
    await target.truncate(bytes);
    return all.digest('hex') === digest;
  };
  return replaceFile(path, write, mode);
}

async function writeAt(target: FileHandle, chunk: Buffer, at: number): Promise<true> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await target.write(chunk, done, chunk.length - done, at + done);
    done += bytesWritten;
  }
  return true;
}
