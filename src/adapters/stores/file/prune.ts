import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { checkTable } from '../../../core/options.js';
import { isMissing, isTemporary } from '../../../node/durable.js';
import { nodeErrors } from '../../../node/errors.js';
import { systemReason } from '../../../node/files.js';
import { takeLock } from '../../../node/lock.js';
import { checkedFolder, namesIn } from '../../../node/store-file.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import {
  type PruneOptions,
  type PruneVerdictsOptions,
  pruneTable,
  pruneVerdictsTable,
} from '../store-options.js';
import { pathsOf, type RunPaths } from './run-paths.js';
import { listRuns, statusOf } from './run-status.js';

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
  const folder = checkedFolder(directory);
  checkTable('pruneRuns', pruneTable, options);
  const { olderThanMs, keep = 0, clock = systemClock } = options;
  const until = clock.now() - olderThanMs;
  const ended = await endedRuns(folder);
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
    throw unremovable(paths.folder, error);
  }
}

/** The journal goes first: without it, the others are meaningless. */
async function removeParts(paths: RunPaths): Promise<void> {
  await rm(paths.journal, { force: true });
  await rm(paths.blobs, { recursive: true, force: true });
  await rm(paths.id, { force: true });
  await rm(paths.mark, { force: true });
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
  const folder = checkedFolder(directory);
  checkTable('pruneVerdicts', pruneVerdictsTable, options);
  const { olderThanMs, max, clock = systemClock } = options;
  const now = clock.now();
  const entries = await entriesIn(folder, now);
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
  const below = async (folder: string): Promise<string[]> =>
    (await namesIn(folder)).flatMap((name) =>
      /^[0-9a-f]$/.test(name) ? [join(folder, name)] : [],
    );
  return (await Promise.all((await below(root)).map(below))).flat();
}

async function entryAt(path: string): Promise<Entry[]> {
  return stat(path).then(
    ({ mtimeMs }) => [{ path, writtenAt: mtimeMs }],
    () => [],
  );
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw unremovable(path, error);
  }
}

function unremovable(path: string, error: unknown): ReviewLoopError {
  return new ReviewLoopError(
    nodeErrors.output_unwritable,
    `cannot remove ${path}: ${systemReason(error)}`,
    { cause: error, value: path },
  );
}
