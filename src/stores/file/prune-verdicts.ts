import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { checkAge, checkKeys, checkWhole, invalid } from '../../core/options.js';
import { isMissing, isTemporary } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { systemReason, unreadableFile } from '../../node/files.js';
import { type Clock, systemClock } from '../../ports/clock.js';

/** Options of {@link pruneVerdicts}. */
export interface PruneVerdictsOptions {
  /** Removes verdicts that were written more than this many milliseconds ago. */
  readonly olderThanMs: number;
  /** Largest number of verdicts; the newest stay. @default no limit */
  readonly max?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

interface Entry {
  readonly path: string;
  readonly writtenAt: number;
}

/** Age in milliseconds after which a temporary file is a leftover of a killed process. */
const abandonedMs = 3_600_000;

const isVerdict = /^[0-9a-f]{64}\.json$/;

/**
 * Removes verdicts of `fileVerdicts` and temporary files that killed processes left. Other files
 * stay.
 *
 * @returns The number of removed verdicts.
 * @throws ReviewLoopError `invalid_options`, `file_unreadable`, `output_unwritable`
 * @example
 * ```ts
 * const olderThanMs = 30 * 24 * 3_600_000;
 * await pruneVerdicts('.reviewloop/cache/verdicts', { olderThanMs, max: 100_000 });
 * ```
 */
export async function pruneVerdicts(
  directory: string,
  options: PruneVerdictsOptions,
): Promise<number> {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  checkKeys('pruneVerdicts', options, ['olderThanMs', 'max', 'clock']);
  const { olderThanMs, max, clock = systemClock } = options;
  checkAge('olderThanMs', olderThanMs);
  if (max !== undefined) checkWhole('max', max, 0);
  const now = clock.now();
  const entries = await entriesIn(resolve(directory), now);
  entries.sort((a, b) => b.writtenAt - a.writtenAt);
  const old = entries.filter(
    ({ writtenAt }, index) => writtenAt < now - olderThanMs || index >= (max ?? entries.length),
  );
  for (const { path } of old) await remove(path);
  return old.length;
}

async function entriesIn(root: string, now: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const folder of await foldersIn(root)) {
    for (const name of await namesIn(folder)) {
      if (!isVerdict.test(name) && !isTemporary(name)) continue;
      const entry = await entryAt(join(folder, name));
      if (isVerdict.test(name)) entries.push(...entry);
      else
        await Promise.all(
          entry
            .filter(({ writtenAt }) => writtenAt < now - abandonedMs)
            .map(({ path }) => remove(path)),
        );
    }
  }
  return entries;
}

async function foldersIn(root: string): Promise<string[]> {
  const digit = /^[0-9a-f]$/;
  const folders: string[] = [];
  for (const first of await namesIn(root, digit))
    folders.push(
      ...(await namesIn(join(root, first), digit)).map((second) => join(root, first, second)),
    );
  return folders;
}

/** Returns the entry at a path, unless another process removed it. */
async function entryAt(path: string): Promise<Entry[]> {
  return stat(path).then(
    ({ mtimeMs }) => [{ path, writtenAt: mtimeMs }],
    () => [],
  );
}

async function namesIn(folder: string, wanted = /^/): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => wanted.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw unreadableFile(folder, error);
  }
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot remove ${path}: ${systemReason(error)}`,
      { cause: error, value: path },
    );
  }
}
