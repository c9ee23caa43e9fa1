import { createHash, hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import { isMissing, replaceFile, syncFolder, writeDurably } from '../../../node/durable.js';
import { systemReason } from '../../../node/files.js';
import { readPlainText } from '../../../node/plain-file.js';
import { makeStoreFolder } from '../../../node/store-file.js';
import { storeErrors } from '../errors.js';
import { type ScannedEntry, shown, unreadable } from './scan-folder.js';

/** Bytes of a file that are in memory at a time. */
const chunkBytes = 262_144;

const zeros = Buffer.alloc(chunkBytes);

/** Stores file contents and lists of trees, each in a file that is named after its hash. */
export class ContentStore {
  readonly #store: string;
  readonly #created = new Set<string>();
  readonly #unflushed = new Set<string>();

  constructor(store: string) {
    this.#store = store;
  }

  async readTree(digest: string): Promise<string | undefined> {
    if (!/^[0-9a-f]{64}$/.test(digest)) return undefined;
    const path = join(this.#store, 'trees', digest);
    try {
      const text = await readPlainText(path);
      await touch(path);
      return text;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new ReviewLoopError(
        storeErrors.workspace_damaged,
        `cannot read the list of state ${digest} in ${path}: ${systemReason(error)}`,
        { cause: error, value: digest },
      );
    }
  }

  /** The contents it lists must be stored already. */
  async saveTree(digest: string, text: string): Promise<void> {
    for (const folder of this.#unflushed) await syncFolder(folder);
    this.#unflushed.clear();
    const path = join(this.#store, 'trees', digest);
    if (await hasSize(path, Buffer.byteLength(text))) return touch(path);
    await this.#createFolder('trees');
    await writeDurably(path, text);
  }

  /** Returns its hash. */
  async save(absolute: string, { path, stats }: ScannedEntry): Promise<string> {
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
      await this.#createFolder(join('blobs', digest.slice(0, 2)));
      const file = this.#blobPath(digest);
      if (await hasSize(file, bytes)) return digest;
      if (bytes < buffer.length)
        await replaceFile(file, (target) => writeAt(target, buffer.subarray(0, bytes), 0), 0o600);
      else if (!(await copyChecked(handle, file, { digest, mode: 0o600 }))) throw changed();
      this.#unflushed.add(join(file, '..'));
      return digest;
    } catch (error) {
      throw unreadable(path, error);
    } finally {
      await handle.close();
    }
  }

  /** Why the content cannot be restored; `undefined` if it can. */
  async problemWith({ hash: digest, size }: FileEntry): Promise<string | undefined> {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size + 1));
    try {
      const handle = await open(this.#blobPath(digest), 'r');
      try {
        const found = await digestOf(handle, buffer);
        return found.digest === digest ? undefined : 'its content was changed';
      } finally {
        await handle.close();
      }
    } catch (error) {
      return systemReason(error);
    }
  }

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

  async restore({ hash: digest, mode, path }: FileEntry, absolute: string): Promise<void> {
    const handle = await open(this.#blobPath(digest), 'r');
    try {
      if (!(await copyChecked(handle, absolute, { digest, mode })))
        throw new ReviewLoopError(
          storeErrors.workspace_damaged,
          `cannot restore ${shown(path)}: its stored content was changed`,
          { value: path },
        );
    } finally {
      await handle.close();
    }
  }

  #blobPath(digest: string): string {
    return join(this.#store, 'blobs', digest.slice(0, 2), digest);
  }

  async #createFolder(name: string): Promise<void> {
    if (this.#created.has(name)) return;
    const folder = join(this.#store, name);
    if ((await makeStoreFolder(this.#store, folder)) !== undefined)
      await syncFolder(join(folder, '..'));
    this.#created.add(name);
  }
}

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

/** Returns the number of bytes. */
async function forEachChunk(
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

/** Returns hash and size of a file. Afterwards, the buffer contains the file if it fits. */
async function digestOf(
  handle: FileHandle,
  buffer: Buffer,
): Promise<{ readonly digest: string; readonly bytes: number }> {
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  if (bytesRead < buffer.length)
    return { digest: hash('sha256', buffer.subarray(0, bytesRead)), bytes: bytesRead };
  const all = createHash('sha256');
  const bytes = await forEachChunk(handle, buffer, (chunk) => void all.update(chunk));
  return { digest: all.digest('hex'), bytes };
}

/** Makes holes instead of zeros. If its hash differs, returns false and changes nothing. */
async function copyChecked(
  source: FileHandle,
  path: string,
  { digest, mode }: { readonly digest: string; readonly mode: number },
): Promise<boolean> {
  const all = createHash('sha256');
  const write = async (target: FileHandle): Promise<boolean> => {
    const bytes = await forEachChunk(source, Buffer.allocUnsafe(chunkBytes), async (chunk, at) => {
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

const path = z.string().refine(isInside, { message: 'a path that leaves the folder' });

const mode = z.number().int().min(0).max(0o7777);

/** It has no modification times. */
export const TreeEntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    path,
    kind: z.literal('file'),
    mode,
    size: z.number().int().min(0),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.strictObject({ path, kind: z.literal('folder'), mode }),
  z.strictObject({ path, kind: z.literal('link'), target: z.string().min(1) }),
]);

export type TreeEntry = z.infer<typeof TreeEntrySchema>;

export type FileEntry = Extract<TreeEntry, { kind: 'file' }>;

const TreeSchema = z.strictObject({ version: z.literal(1), entries: z.array(TreeEntrySchema) });

export function encodeTree(entries: readonly TreeEntry[]): {
  readonly text: string;
  readonly digest: string;
} {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const text = `{"version":1,"entries":[\n${sorted.map((entry) => JSON.stringify(entry)).join(',\n')}\n]}\n`;
  return { text, digest: hash('sha256', text) };
}

/** Folders come before their content. */
export function decodeTree(text: string, digest: string): readonly TreeEntry[] {
  const wrong = (why: string): ReviewLoopError =>
    new ReviewLoopError(storeErrors.workspace_damaged, `the list of state ${digest} ${why}`, {
      value: digest,
    });
  if (hash('sha256', text) !== digest) throw wrong('was changed');
  const parsed = TreeSchema.safeParse(jsonIn(text));
  if (!parsed.success) throw wrong(`is not valid: ${z.prettifyError(parsed.error)}`);
  const folders = new Set(['']);
  const seen = new Set<string>();
  for (const entry of parsed.data.entries) {
    if (seen.has(entry.path) || !folders.has(parentOf(entry.path)))
      throw wrong(`contains ${JSON.stringify(entry.path)} twice, or without its folder`);
    seen.add(entry.path);
    if (entry.kind === 'folder') folders.add(entry.path);
  }
  return parsed.data.entries;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isInside(path: string): boolean {
  return path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
}
