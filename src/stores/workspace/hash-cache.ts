import type { BigIntStats } from 'node:fs';

interface CachedHash {
  readonly stamp: string;
  readonly hash: string;
}

/** In milliseconds. A file that changed this recently may change again with the same timestamp. */
const settleMs = 2000;

/** Caches hashes of files whose inode, mode, size and timestamps have not changed. */
export class HashCache {
  #hashes = new Map<string, CachedHash>();

  /** Returns the cached hash; `undefined` if it is missing or the file changed. */
  hash(path: string, stats: BigIntStats): string | undefined {
    const cached = this.#hashes.get(path);
    return cached?.stamp === fileStamp(stats) ? cached.hash : undefined;
  }

  /** Replaces all entries with the files of a tree that was read at `readAt`. */
  replace(
    files: Iterable<{ readonly path: string; readonly stats: BigIntStats; readonly hash: string }>,
    readAt: number,
  ): void {
    this.#hashes = new Map();
    for (const { path, stats, hash } of files) {
      if (Number(stats.ctimeMs) + settleMs < readAt && Number(stats.mtimeMs) + settleMs < readAt)
        this.#hashes.set(path, { stamp: fileStamp(stats), hash });
    }
  }
}

/** Returns a text that changes whenever the file does. */
export function fileStamp({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mode}:${size}:${mtimeNs}:${ctimeNs}`;
}
