import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from './errors.js';
import { unreadableFile } from './files.js';
import { globMatcher, globRoot, isGlob } from './glob.js';

export interface ListedFile {
  /** Absolute, with links resolved. */
  readonly absolute: string;
  /** Relative to the working directory, with `/`. */
  readonly path: string;
}

/** The files under given paths, and the entries that are not regular files. */
export interface Listing {
  readonly files: readonly ListedFile[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface ListOptions {
  readonly cwd: string;
  readonly maxFiles: number;
  /** Globs of excluded paths. @default [] */
  readonly exclude?: readonly string[];
}

export const skippedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules', '.reviewloop']);

/** Also lists what is below folders. Each file once, sorted by path. */
export async function listFiles(paths: readonly string[], options: ListOptions): Promise<Listing> {
  const found = new FileCollector(options);
  for (const path of paths) await addPath(found, path);
  const files = [...found.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, skipped: found.skipped };
}

class FileCollector {
  readonly files = new Map<string, ListedFile>();
  readonly skipped: { path: string; reason: string }[] = [];
  readonly options: ListOptions;
  readonly #excluded: readonly ((path: string) => boolean)[];

  constructor(options: ListOptions) {
    this.options = options;
    this.#excluded = (options.exclude ?? []).map(globMatcher);
  }

  shown(absolute: string): string {
    return relative(this.options.cwd, absolute).split(sep).join('/') || '.';
  }

  excludes(path: string): boolean {
    return this.#excluded.some((matches) => matches(path));
  }

  async add(absolute: string): Promise<void> {
    const path = this.shown(absolute);
    if (this.excludes(path)) return;
    this.files.set(absolute, { absolute: await realpath(absolute), path });
    const { maxFiles } = this.options;
    if (this.files.size > maxFiles)
      throw new ReviewLoopError(
        nodeErrors.too_many_files,
        `the paths contain more than ${maxFiles} files`,
      );
  }
}

async function addPath(found: FileCollector, path: string): Promise<void> {
  const absolute = resolve(found.options.cwd, path);
  const stats = await stat(absolute).catch((error: unknown) => unreadableFile(path, error));
  if (stats instanceof ReviewLoopError) {
    if (isGlob(path)) return addGlob(found, path);
    throw stats;
  }
  if (stats.isDirectory()) return walk(found, absolute, () => true);
  if (!stats.isFile())
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${path} is neither a file nor a folder`,
      {
        value: path,
      },
    );
  await found.add(absolute);
}

async function addGlob(found: FileCollector, pattern: string): Promise<void> {
  const root = resolve(found.options.cwd, globRoot(pattern));
  const matches = globMatcher(found.shown(resolve(found.options.cwd, pattern)));
  const before = found.files.size;
  await walk(found, root, matches);
  if (found.files.size === before)
    throw new ReviewLoopError(nodeErrors.no_artifacts, `nothing matches ${pattern}`, {
      value: pattern,
    });
}

async function walk(
  found: FileCollector,
  folder: string,
  wanted: (path: string) => boolean,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadableFile(found.shown(folder), error);
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) await addEntry(found, { folder, entry }, wanted);
}

async function addEntry(
  found: FileCollector,
  { folder, entry }: { readonly folder: string; readonly entry: Dirent },
  wanted: (path: string) => boolean,
): Promise<void> {
  const absolute = join(folder, entry.name);
  const path = found.shown(absolute);
  if (entry.isDirectory()) {
    if (!skippedFolders.has(entry.name) && !found.excludes(path))
      await walk(found, absolute, wanted);
    return;
  }
  if (!wanted(path) || found.excludes(path)) return;
  if (entry.isFile()) await found.add(absolute);
  else
    found.skipped.push({
      path,
      reason: entry.isSymbolicLink() ? 'a symbolic link' : 'not a regular file',
    });
}
