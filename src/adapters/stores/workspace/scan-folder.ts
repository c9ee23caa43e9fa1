import type { BigIntStats } from 'node:fs';
import { chmod, lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { isMissing, isTemporary, systemCode } from '../../../node/durable.js';
import { systemReason } from '../../../node/files.js';
import { globMatcher } from '../../../node/glob.js';
import { storeErrors } from '../errors.js';

export interface ScannedEntry {
  /** From the top of the folder, with `/`. */
  readonly path: string;
  readonly stats: BigIntStats;
  /** The target of a symbolic link, which is never followed. */
  readonly target?: string | undefined;
}

export interface ScanOptions {
  readonly root: string;
  readonly ignored: IgnoredPaths;
  /** Makes folders readable and lists leftovers of an unfinished restore too. */
  readonly toReplace: boolean;
}

const width = 16;

/** Leaves out what is ignored; folders come before their content. */
export async function scanFolder(options: ScanOptions): Promise<readonly ScannedEntry[]> {
  const found: ScannedEntry[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await entriesIn(options, folder)) {
      found.push(entry);
      if (entry.stats.isDirectory()) open.push(entry.path);
    }
  }
  return found;
}

/** Quoted, because names may contain line breaks. */
export function shown(path: string): string {
  return JSON.stringify(path);
}

export function modeOf(stats: BigIntStats): number {
  return Number(stats.mode & 0o7777n);
}

async function entriesIn(options: ScanOptions, folder: string): Promise<readonly ScannedEntry[]> {
  const { root, ignored, toReplace } = options;
  const names = await namesIn(options, folder);
  const paths = names
    .filter((name) => toReplace || !isTemporary(name))
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
    .filter((path) => !ignored(path));
  const found: ScannedEntry[] = [];
  await mapBounded(paths, width, async (path) => {
    found.push(await entryAt(join(root, path), path));
  });
  return found;
}

async function entryAt(absolute: string, path: string): Promise<ScannedEntry> {
  try {
    const stats = await lstat(absolute, { bigint: true });
    if (!stats.isSymbolicLink()) return { path, stats };
    return {
      path,
      stats,
      target: decoded(
        await readlink(absolute, { encoding: 'buffer' }),
        `the target of ${shown(path)}`,
      ),
    };
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function namesIn(
  { root, toReplace }: ScanOptions,
  folder: string,
): Promise<readonly string[]> {
  const absolute = join(root, folder);
  const list = async (): Promise<readonly Buffer[]> => readdir(absolute, { encoding: 'buffer' });
  const names = await list().catch(async (error: unknown) => {
    if (!toReplace || systemCode(error) !== 'EACCES') throw unreadable(folder, error);
    await chmod(absolute, 0o700);
    return list();
  });
  return names.map((name) => decoded(name, `a name in ${shown(folder)}`));
}

function decoded(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ReviewLoopError(
      storeErrors.workspace_unreadable,
      `${what} is not UTF-8: ${shown(bytes.toString('latin1'))}`,
      { cause: error },
    );
  }
}

/** A missing entry counts as changed. */
export function unreadable(path: string, error: unknown): ReviewLoopError {
  if (error instanceof ReviewLoopError) return error;
  if (isMissing(error) || systemCode(error) === 'ELOOP' || systemCode(error) === 'ENOTDIR')
    return new ReviewLoopError(
      storeErrors.workspace_changed,
      `${shown(path)} changed while it was read`,
      {
        cause: error,
        value: path,
      },
    );
  return new ReviewLoopError(
    storeErrors.workspace_unreadable,
    `cannot read ${shown(path)}: ${systemReason(error)}`,
    { cause: error, value: path },
  );
}

/** Never saved, restored or removed, at any depth. */
const always = new Set(['.git', '.reviewloop']);

export type IgnoredPaths = (path: string) => boolean;

/**
 * A pattern without `/` matches names at any depth; one with `/` matches paths from the top. The
 * content of an ignored folder is ignored too.
 */
export function ignoredPaths(patterns: readonly string[]): IgnoredPaths {
  const names = patterns
    .filter((pattern) => !pattern.replace(/\/$/, '').includes('/'))
    .map((pattern) => globMatcher(pattern.replace(/\/$/, '')));
  const paths = patterns
    .filter((pattern) => pattern.replace(/\/$/, '').includes('/'))
    .map((pattern) => globMatcher(pattern.replace(/^\//, '').replace(/\/$/, '')));
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      always.has(name) ||
      names.some((matches) => matches(name)) ||
      paths.some((matches) => matches(path))
    );
  };
}

interface CachedHash {
  readonly stamp: string;
  readonly hash: string;
}

/** In milliseconds. A file that changed this recently may change again with the same timestamp. */
const settleMs = 2000;

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

export function fileStamp({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mode}:${size}:${mtimeNs}:${ctimeNs}`;
}
