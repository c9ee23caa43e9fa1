import type { Diff, FileSource } from '../../core/diff/diff-source.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../../core/options.js';
import { decoded } from '../files.js';
import { readRegularFile } from '../plain-file.js';
import { yieldToEventLoop } from '../read-files.js';
import { type GitPlace, gitError, gitOutput, runGit } from './git-command.js';

export interface GitFilesOptions {
  /** A folder in the repository. @default the working directory */
  readonly cwd?: string | undefined;
  /** The largest size of a file, in bytes; from 1. Larger files are not read. @default 2097152 */
  readonly maxBytes?: number | undefined;
  /** The timeout of one command, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Creates a reader of files at the end of a diff: a commit, the index, or the working tree. It
 * follows no links and starts no filters.
 *
 * @throws ReviewLoopError `invalid_options`; methods reject with `not_a_repository`,
 *   `git_failed`, `process_not_found`, `process_timeout`, `cancelled`
 * @example
 * ```ts
 * const diff = await gitDiff().diff({ kind: 'staged' });
 * const text = await gitFiles(diff).read('src/index.ts');
 * ```
 */
export function gitFiles({ head }: Pick<Diff, 'head'>, options: GitFilesOptions = {}): FileSource {
  checkKeys('gitFiles', options, ['cwd', 'maxBytes', 'timeoutMs']);
  const { cwd = '.', maxBytes = 2 * 2 ** 20, timeoutMs = 60_000 } = options;
  if (typeof head !== 'string' || !/^(?:staged|working-tree|[0-9a-f]{40,64})$/.test(head))
    throw invalid(
      'head',
      "the head of a diff: the id of a commit, 'staged' or 'working-tree'",
      head,
    );
  checkWhole('maxBytes', maxBytes, 1);
  checkPositive('timeoutMs', timeoutMs);
  const blobs = new BlobReader(maxBytes);
  let found: Promise<string> | undefined;
  const top = async (): Promise<string> => {
    found ??= gitOutput(['rev-parse', '--show-toplevel'], { cwd, timeoutMs });
    try {
      return (await found).replace(/\n$/, '');
    } catch (error) {
      found = undefined;
      throw error;
    }
  };
  return {
    read: async (path, { signal } = {}) => {
      const root = await top();
      if (head === 'working-tree') return readRegularFile(root, path, maxBytes);
      return blobs.read(head === 'staged' ? `:0:${path}` : `${head}:${path}`, {
        cwd: root,
        timeoutMs,
        signal,
      });
    },
    list: async (folder, { signal } = {}) => {
      const inRoot = { cwd: await top(), timeoutMs, signal };
      return head === 'staged' || head === 'working-tree'
        ? staged(folder, inRoot)
        : inCommit(head, folder, inRoot);
    },
  };
}

const fileModes = /^100(?:644|755)$/;

async function staged(folder: string, place: GitPlace): Promise<string[]> {
  const output = await gitOutput(
    ['ls-files', '--stage', '-z', '--', folder === '' ? '.' : folder],
    place,
  );
  return entries(output, /^(\d+) \S+ 0\t([\s\S]*)$/, folder);
}

async function inCommit(head: string, folder: string, place: GitPlace): Promise<string[]> {
  const output = await gitOutput(
    ['ls-tree', '-z', '--full-tree', head, ...(folder === '' ? [] : ['--', `${folder}/`])],
    place,
  );
  return entries(output, /^(\d+) \S+ \S+\t([\s\S]*)$/, folder);
}

function entries(output: string, pattern: RegExp, folder: string): string[] {
  return output.split('\0').flatMap((entry) => {
    const [, mode = '', path = ''] = pattern.exec(entry) ?? [];
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    return fileModes.test(mode) && above === folder ? [path] : [];
  });
}

interface Asked {
  readonly name: string;
  readonly place: GitPlace;
  readonly answer: (text: string | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** One git process reads all blobs that are requested together. */
export class BlobReader {
  readonly #maxBytes: number;
  #asked: readonly Asked[] = [];
  #busy = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Undefined if the blob is missing, too large, or not text. */
  read(name: string, place: GitPlace): Promise<string | undefined> {
    return new Promise((answer, fail) => {
      this.#asked = [...this.#asked, { name, place, answer, fail }];
      if (!this.#busy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    await yieldToEventLoop();
    for (let first = this.#asked[0]; first !== undefined; first = this.#asked[0]) {
      const { place } = first;
      const together = this.#asked.filter((asked) => asked.place.signal === place.signal);
      this.#asked = this.#asked.filter((asked) => asked.place.signal !== place.signal);
      try {
        const texts = await textsOf(
          [...new Set(together.map(({ name }) => name))],
          place,
          this.#maxBytes,
        );
        for (const { name, answer } of together) answer(texts.get(name));
      } catch (error) {
        for (const { fail } of together) fail(error);
      }
    }
    this.#busy = false;
  }
}

/** The greatest number of bytes for one git process. */
const mostAtOnce = 32 * 2 ** 20;

async function textsOf(
  names: readonly string[],
  place: GitPlace,
  maxBytes: number,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const keep = (name: string, bytes: Buffer | undefined): void => {
    const found = bytes === undefined || bytes.length > maxBytes ? undefined : decoded(bytes);
    if (found?.kind === 'text') texts.set(name, found.text);
  };
  // a list cannot contain a name with a line break
  for (const name of names.filter(isOdd)) keep(name, await oneBlob(name, place, maxBytes));
  const plain = names.filter((name) => !isOdd(name));
  if (plain.length === 0) return texts;
  for (const part of inParts(await sizesOf(plain, place), maxBytes)) {
    const blobs = blobsIn(
      await bytesOf(['cat-file', '--batch=%(objectsize)'], { ...place, input: listOf(part) }),
      part.length,
    );
    for (const [index, name] of part.entries()) keep(name, blobs[index]);
  }
  return texts;
}

interface Sized {
  readonly name: string;
  readonly size: number;
}

async function sizesOf(names: readonly string[], place: GitPlace): Promise<Sized[]> {
  const lines = (
    await gitOutput(['cat-file', '--batch-check=%(objecttype) %(objectsize)'], {
      ...place,
      input: listOf(names),
    })
  ).split('\n');
  return names.flatMap((name, index) => {
    const size = /^blob (\d+)$/.exec(lines[index] ?? '')?.[1];
    return size === undefined ? [] : [{ name, size: Number(size) }];
  });
}

function inParts(blobs: readonly Sized[], maxBytes: number): string[][] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const { name, size } of blobs) {
    if (size > maxBytes) continue;
    if (parts.length === 0 || bytes + size > mostAtOnce) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(name);
    bytes += size;
  }
  return parts;
}

function isOdd(name: string): boolean {
  return /[\r\n]/.test(name);
}

function listOf(names: readonly string[]): Uint8Array {
  return new TextEncoder().encode(names.map((name) => `${name}\n`).join(''));
}

async function oneBlob(
  name: string,
  place: GitPlace,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const size = await runGit(['cat-file', '-s', name], place);
  if (size.exitCode !== 0 || Number(size.stdout) > maxBytes) return undefined;
  return bytesOf(['cat-file', 'blob', name], place);
}

async function bytesOf(args: readonly string[], place: GitPlace): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const result = await runGit(args, { ...place, onOutput: (chunk) => void chunks.push(chunk) });
  if (result.exitCode !== 0) throw gitError(args, place, result);
  return Buffer.concat(chunks);
}

/**
 * Returns the blobs in the output of `cat-file --batch=%(objectsize)`. Each blob is a size, a line
 * break, the bytes and a line break. A missing blob is a line without a size.
 */
function blobsIn(output: Buffer, count: number): (Buffer | undefined)[] {
  const blobs: (Buffer | undefined)[] = [];
  let at = 0;
  while (blobs.length < count) {
    const end = output.indexOf(0x0a, at);
    if (end === -1) break;
    const line = output.toString('latin1', at, end);
    const size = /^\d+$/.test(line) ? Number(line) : undefined;
    blobs.push(size === undefined ? undefined : output.subarray(end + 1, end + 1 + size));
    at = end + 1 + (size === undefined ? 0 : size + 1);
  }
  return blobs;
}
