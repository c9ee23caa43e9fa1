import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { systemClock } from '../ports/clock.js';
import { decoded, systemReason } from './files.js';
import { placeIn, type Root } from './inside-root.js';

export type FoundFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly error: string }
  /** Larger than `mostBytes`, and therefore not read. */
  | { readonly kind: 'left_out'; readonly path: string; readonly bytes: number };

export interface ReadingOptions {
  readonly root: Root;
  /** Returns the largest size of the next file, in bytes. @default no limit */
  readonly mostBytes?: (() => number) | undefined;
  /** Ends the reading if it is aborted. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Longest synchronous reading before other work runs, in milliseconds. */
const sliceMs = 5;

/**
 * One open handle, one buffer and synchronous reads make it as fast as `cat`. Every five
 * milliseconds, other work of the process runs.
 */
export async function readFiles(
  paths: readonly string[],
  visit: (index: number, found: FoundFile) => void | Promise<void>,
  options: ReadingOptions,
): Promise<void> {
  const reader = new FileReader();
  let from = systemClock.now();
  for (const [index, path] of paths.entries()) {
    const turn = visit(index, reader.read(path, options));
    if (turn !== undefined) await turn;
    if (systemClock.now() - from < sliceMs) continue;
    await yieldToEventLoop();
    options.signal?.throwIfAborted();
    from = systemClock.now();
  }
}

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

class FileReader {
  #buffer = Buffer.allocUnsafe(64 * 1024);

  read(path: string, { root, mostBytes }: ReadingOptions): FoundFile {
    const place = placed(root, path);
    if ('kind' in place) return place;
    if (!place.exists) return { kind: 'missing' };
    try {
      return this.#open(place.path, mostBytes?.() ?? Number.POSITIVE_INFINITY);
    } catch (error) {
      return { kind: 'unreadable', error: systemReason(error) };
    }
  }

  #open(path: string, most: number): FoundFile {
    const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile())
        return {
          kind: 'unreadable',
          error: stats.isDirectory() ? 'it is a folder' : 'it is not a regular file',
        };
      if (stats.size > most) return { kind: 'left_out', path, bytes: stats.size };
      const bytes = this.#whole(handle, stats.size);
      const { kind, text } = decoded(bytes);
      return kind === 'text' ? { kind, text } : { kind: 'binary', path };
    } finally {
      closeSync(handle);
    }
  }

  /** Reads all bytes, also of a file that reports a size of 0. */
  #whole(handle: number, size: number): Buffer {
    let length = 0;
    for (;;) {
      if (length + 1 > this.#buffer.length || size + 1 > this.#buffer.length)
        this.#grow(Math.max(size + 1, length * 2), length);
      const read = readSync(handle, this.#buffer, length, this.#buffer.length - length, null);
      if (read === 0) return this.#buffer.subarray(0, length);
      length += read;
    }
  }

  #grow(size: number, used: number): void {
    const larger = Buffer.allocUnsafe(size);
    this.#buffer.copy(larger, 0, 0, used);
    this.#buffer = larger;
  }
}

function placed(root: Root, path: string): ReturnType<typeof placeIn> | FoundFile {
  try {
    return placeIn(root, path);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      return { kind: 'unreadable', error: error.message };
    throw error;
  }
}
