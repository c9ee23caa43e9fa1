import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { checkAge, checkKeys, checkWhole, invalid } from '../../core/options.js';
import { isMissing } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { takeLock } from '../../node/lock.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { markName } from './audit-paths.js';
import { pathsOf, type RunPaths } from './run-paths.js';
import { listRuns, statusOf } from './run-status.js';

/** Which runs are removed. */
export interface PruneOptions {
  /** Runs that ended longer ago than this. */
  readonly olderThanMs: number;
  /** How many of the ended runs, the newest, stay in any case. @default 0 */
  readonly keep?: number | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
}

interface EndedRun {
  readonly runId: string;
  readonly paths: RunPaths;
  readonly endedAt: number;
}

/** Statuses of runs that somebody still needs. */
const unfinished = new Set(['running', 'suspended', 'corrupt', 'newer']);

/**
 * Removes runs of a file store that have ended. Those that run, wait for a person, cannot be read, or have a writer stay.
 *
 * @returns The ids of the runs that were removed.
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
    const paths = pathsOf(directory, runId);
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
    // the lock goes last, so that a writer that comes back does not find its own
    await rm(join(paths.folder, `lock.${lock.epoch}`), { force: true });
    await rmdir(paths.folder).catch(() => {});
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `${paths.folder} cannot be removed: ${messageOf(error)}`,
      { cause: error, value: paths.folder },
    );
  }
}

/** Removes what the store has written, the journal first: without it nothing else means anything. */
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
