import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { checkAge, checkKeys, checkWhole, invalid } from '../../../core/options.js';
import { isMissing, isTemporary } from '../../../node/durable.js';
import { nodeErrors } from '../../../node/errors.js';
import { systemReason, unreadableFile } from '../../../node/files.js';
import { takeLock } from '../../../node/lock.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { markName, pathsOf, type RunPaths } from './run-paths.js';
import { listRuns, statusOf } from './run-status.js';

/** Options of {@link pruneRuns}. */
export interface PruneOptions {
  /** Removes runs that ended at least this many milliseconds ago. */
  readonly olderThanMs: number;
  /** Number of newest ended runs that always stay. @default 0 */
  readonly keep?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

interface EndedRun {
  readonly runId: string;
  readonly paths: RunPaths;
  readonly endedAt: number;
}

/** Such runs are never removed. */
const unfinished = new Set(['running', 'suspended', 'corrupt', 'newer']);

/**
 * Removes ended runs of a file store. Runs that are unfinished, suspended, unreadable or open stay.
 *
 * @returns The ids of the removed runs.
 * @throws ReviewLoopError `invalid_options`, `file_unreadable`, `output_unwritable`
 * @example
 * ```ts
 * await pruneRuns('.reviewloop', { olderThanMs: 30 * 24 * 3_600_000, keep: 100 });
 * ```
 */
export async function pruneRuns(
  directory: string,
  options: PruneOptions,
): Promise<readonly string[]> {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  checkKeys('pruneRuns', options, ['olderThanMs', 'keep', 'clock']);
  const { olderThanMs, keep = 0, clock = systemClock } = options;
  checkAge('olderThanMs', olderThanMs);
  checkWhole('keep', keep, 0);
  const until = clock.now() - olderThanMs;
  const ended = await endedRuns(resolve(directory));
  const old = ended
    .sort((a, b) => b.endedAt - a.endedAt)
    .slice(keep)
    .filter(({ endedAt }) => endedAt <= until);
  const removed: string[] = [];
  for (const run of old) if (await removeRun(run, clock)) removed.push(run.runId);
  return removed;
}

async function endedRuns(directory: string): Promise<EndedRun[]> {
  const ended: EndedRun[] = [];
  for (const { runId, status } of await listRuns(directory)) {
    if (unfinished.has(status)) continue;
    const paths = await pathsOf(directory, runId);
    const endedAt = await changedAt(paths.journal);
    if (endedAt !== undefined) ended.push({ runId, paths, endedAt });
  }
  return ended;
}

async function removeRun({ runId, paths, endedAt }: EndedRun, clock: Clock): Promise<boolean> {
  try {
    const lock = await takeLock(paths.folder, { clock, heartbeatMs: 2000, patienceMs: 10_000 });
    if (lock === undefined) return false;
    try {
      const status = await statusOf(paths, runId);
      if (
        status === undefined ||
        unfinished.has(status) ||
        (await changedAt(paths.journal)) !== endedAt
      )
        return false;
      await removeParts(paths);
    } finally {
      await lock.release();
    }
    // the lock goes last: a writer that wakes up must not find its own
    await rm(join(paths.folder, `lock.${lock.epoch}`), { force: true });
    await rmdir(paths.folder).catch(() => {});
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot remove ${paths.folder}: ${systemReason(error)}`,
      { cause: error, value: paths.folder },
    );
  }
}

/** The journal goes first: without it, the others are meaningless. */
async function removeParts(paths: RunPaths): Promise<void> {
  await rm(paths.journal, { force: true });
  await rm(paths.blobs, { recursive: true, force: true });
  await rm(paths.id, { force: true });
  await rm(join(paths.folder, markName), { force: true });
  const tails = (await readdir(paths.folder)).filter((name) => /^journal\.tail-\d+$/.test(name));
  for (const name of tails) await rm(join(paths.folder, name), { force: true });
}

async function changedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

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

/** A temporary file of this age is a leftover of a killed process. */
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
