import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { checkAge, checkKeys, checkWhole, invalid } from '../../../core/options.js';
import { isMissing } from '../../../node/durable.js';
import { nodeErrors } from '../../../node/errors.js';
import { systemReason } from '../../../node/files.js';
import { takeLock } from '../../../node/lock.js';
import { readPlainText } from '../../../node/plain-file.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { portErrors } from '../../../ports/errors.js';
import type { Store } from '../../../ports/store.js';
import { decodeTree } from './content-store.js';

export interface PruneWorkspaceOptions {
  /** Removes snapshots that were not saved or restored for this many milliseconds. */
  readonly olderThanMs: number;
  /** Number of last used snapshots that always stay. @default 0 */
  readonly keep?: number | undefined;
  /** A store of runs. Snapshots that its unfinished runs need stay. @default none */
  readonly runs?: Store | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/** What {@link pruneWorkspace} removed. */
export interface PrunedWorkspace {
  /** Digests of snapshots that can no longer be restored. */
  readonly states: readonly string[];
  /** Number of file contents that were removed with them. */
  readonly contents: number;
}

interface StoredFile {
  readonly name: string;
  readonly path: string;
  readonly usedAt: number;
}

const finished = new Set([
  'approved',
  'accepted',
  'rejected',
  'escalated',
  'exhausted',
  'stalled',
  'inconclusive',
  'cancelled',
]);

/**
 * Removes old snapshots of a folder workspace, and the file contents that no other snapshot needs.
 *
 * @param store - The store of the workspace, as in its option `store`.
 * @throws ReviewLoopError `invalid_options`, `workspace_busy` while a run uses the workspace,
 *   `workspace_damaged`, `output_unwritable`
 * @example
 * ```ts
 * const runs = fileStore('.reviewloop');
 * await pruneWorkspace('states', { olderThanMs: 7 * 24 * 3_600_000, runs });
 * ```
 */
export async function pruneWorkspace(
  store: string,
  options: PruneWorkspaceOptions,
): Promise<PrunedWorkspace> {
  checkKeys('pruneWorkspace', options, ['olderThanMs', 'keep', 'runs', 'clock']);
  const { olderThanMs, keep = 0, runs, clock = systemClock } = options;
  if (typeof store !== 'string' || store === '')
    throw invalid('store', 'the path of a folder', store);
  checkAge('olderThanMs', olderThanMs);
  checkWhole('keep', keep, 0);
  const folder = resolve(store);
  if (!(await isThere(folder))) return { states: [], contents: 0 };
  const lock = await takeLock(folder, {
    clock: systemClock,
    heartbeatMs: 2000,
    patienceMs: 10_000,
  });
  if (lock === undefined)
    throw new ReviewLoopError(
      portErrors.workspace_busy,
      `a run is using the workspace stored in ${folder}`,
    );
  try {
    return await removeOld(folder, {
      needed: await treesOf(runs),
      until: clock.now() - olderThanMs,
      keep,
    });
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot prune ${folder}: ${systemReason(error)}`,
      { cause: error, value: folder },
    );
  } finally {
    await lock.release();
  }
}

async function removeOld(
  folder: string,
  {
    needed,
    until,
    keep,
  }: { readonly needed: ReadonlySet<string>; readonly until: number; readonly keep: number },
): Promise<PrunedWorkspace> {
  const trees = (await filesOf(join(folder, 'trees'))).sort((a, b) => b.usedAt - a.usedAt);
  const old = trees.filter(
    ({ name, usedAt }, index) => index >= keep && usedAt <= until && !needed.has(name),
  );
  const left = trees.filter((tree) => !old.includes(tree));
  const used = await contentsOf(left.filter(({ name }) => isDigest(name)));
  for (const { path } of old) await rm(path, { force: true });
  const unused = (await blobsOf(folder)).filter(
    ({ name, usedAt }) => !used.has(name) && usedAt <= until,
  );
  for (const { path } of unused) await rm(path, { force: true });
  return { states: old.map(({ name }) => name).filter(isDigest), contents: unused.length };
}

/** Other names are leftovers of a process that died. */
function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

async function treesOf(runs: Store | undefined): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const { runId, status } of (await runs?.list()) ?? []) {
    if (finished.has(status)) continue;
    for (const record of (await runs?.read(runId)) ?? [])
      if (record.type === 'step' && record.workspace !== undefined) needed.add(record.workspace);
  }
  return needed;
}

async function contentsOf(trees: readonly StoredFile[]): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const { name, path } of trees) {
    for (const entry of decodeTree(await readPlainText(path), name))
      if (entry.kind === 'file') used.add(entry.hash);
  }
  return used;
}

async function blobsOf(folder: string): Promise<readonly StoredFile[]> {
  const groups = await namesIn(join(folder, 'blobs'));
  const blobs: StoredFile[] = [];
  for (const group of groups) blobs.push(...(await filesOf(join(folder, 'blobs', group))));
  return blobs;
}

async function filesOf(folder: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    files.push({ name, path, usedAt: (await stat(path)).mtimeMs });
  }
  return files;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
