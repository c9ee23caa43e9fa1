import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { checkAge, checkKeys, checkWhole, invalid } from '../../core/options.js';
import { isMissing } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { takeLock } from '../../node/lock.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import type { Store } from '../../ports/store.js';
import { decodeTree } from './manifest.js';

/** Which states are forgotten. */
export interface PruneWorkspaceOptions {
  /** States that were neither kept nor brought back for longer than this. */
  readonly olderThanMs: number;
  /** How many states, those used last, stay in any case. @default 0 */
  readonly keep?: number | undefined;
  /** A store of runs: what its unfinished runs have recorded stays. @default none */
  readonly runs?: Store | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
}

/** What was removed. */
export interface PrunedWorkspace {
  /** Digests of states that can no longer be brought back. */
  readonly states: readonly string[];
  /** How many contents of files went with them. */
  readonly contents: number;
}

interface Kept {
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
 * Forgets states of a folder workspace that nobody used for a while, and the contents that no other state needs.
 *
 * @param store - The store of the workspace, as in its option.
 * @throws ReviewLoopError `invalid_options`, `workspace_busy` while a run uses the workspace, `workspace_damaged`, `output_unwritable`
 * @example
 * ```ts
 * await pruneWorkspace('states', { olderThanMs: 7 * 24 * 3_600_000, runs: fileStore('.reviewloop') });
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
      'workspace_busy',
      `a run is using the workspace that is kept in ${folder}`,
    );
  try {
    const needed = await treesOf(runs);
    const until = clock.now() - olderThanMs;
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
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `${folder} cannot be pruned: ${messageOf(error)}`,
      { cause: error, value: folder },
    );
  } finally {
    await lock.release();
  }
}

/** Whether a name is that of a state; others were left by a process that died while it wrote. */
function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** What runs that can go on have recorded. */
async function treesOf(runs: Store | undefined): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const { runId, status } of (await runs?.list()) ?? []) {
    if (finished.has(status)) continue;
    for (const record of (await runs?.read(runId)) ?? [])
      if (record.type === 'step' && record.workspace !== undefined) needed.add(record.workspace);
  }
  return needed;
}

/** The hashes of everything that some states need. */
async function contentsOf(trees: readonly Kept[]): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const { name, path } of trees) {
    for (const entry of decodeTree(await readFile(path, 'utf8'), name))
      if (entry.kind === 'file') used.add(entry.hash);
  }
  return used;
}

async function blobsOf(folder: string): Promise<readonly Kept[]> {
  const groups = await namesIn(join(folder, 'blobs'));
  const blobs: Kept[] = [];
  for (const group of groups) blobs.push(...(await filesOf(join(folder, 'blobs', group))));
  return blobs;
}

async function filesOf(folder: string): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    kept.push({ name, path, usedAt: (await stat(path)).mtimeMs });
  }
  return kept;
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
