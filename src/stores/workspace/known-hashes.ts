import type { BigIntStats } from 'node:fs';

interface Known {
  readonly stamp: string;
  readonly hash: string;
}

/** A file that changed this shortly before it was read may have changed again without a new time of change. */
const settledMs = 2000;

/** Hashes of files that have not changed since they were read, as far as size, number and times of change tell. */
export class KnownHashes {
  #known = new Map<string, Known>();

  hash(path: string, stats: BigIntStats): string | undefined {
    const known = this.#known.get(path);
    return known?.stamp === stampOf(stats) ? known.hash : undefined;
  }

  /** Takes over what was read of a whole tree. */
  replace(
    files: Iterable<{ readonly path: string; readonly stats: BigIntStats; readonly hash: string }>,
    readAt: number,
  ): void {
    this.#known = new Map();
    for (const { path, stats, hash } of files) {
      if (Number(stats.ctimeMs) + settledMs < readAt && Number(stats.mtimeMs) + settledMs < readAt)
        this.#known.set(path, { stamp: stampOf(stats), hash });
    }
  }
}

/** The same for a file that is unchanged. */
export function stampOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mode}:${size}:${mtimeNs}:${ctimeNs}`;
}
