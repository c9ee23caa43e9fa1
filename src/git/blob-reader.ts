import { decoded } from '../node/files.js';
import { yieldToEventLoop } from '../node/read-files.js';
import { type GitPlace, gitError, gitOutput, runGit } from './git-command.js';

interface Asked {
  readonly name: string;
  readonly place: GitPlace;
  readonly answer: (text: string | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Reads the texts of blobs; one git process reads all blobs that are requested together. */
export class BlobReader {
  readonly #maxBytes: number;
  #asked: readonly Asked[] = [];
  #busy = false;

  /** @param maxBytes - Size limit of one blob; a larger one is not read. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the text of a blob; undefined if it is missing, too large, or not text. */
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

/** Returns the names of blobs within the size limit, in groups for one git process each. */
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
