import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { type Mutex, mutex } from '../../core/mutex.js';
import { checkKeys, invalid } from '../../core/options.js';
import { makeFolders } from '../../node/durable.js';
import { ignoreAll } from '../../node/ignored-folder.js';
import { type HeldLock, takeLock } from '../../node/lock.js';
import { systemClock } from '../../ports/clock.js';
import type { Workspace, WorkspaceClaim } from '../../ports/workspace.js';
import { Contents } from './contents.js';
import { type LeftOut, leftOutBy } from './ignored-paths.js';
import { KnownHashes } from './known-hashes.js';
import { bringBack } from './restore-files.js';
import { type KeptFolder, keepTree } from './save-snapshot.js';

/** Where the states of a folder are kept, and what does not belong to them. */
export interface FolderWorkspaceOptions {
  /** Where states are kept. Inside of the folder only below a top-level name that is left alone. @default .reviewloop/workspaces/ and a hash of the folder's path, in the working directory */
  readonly store?: string | undefined;
  /** Names, or globs of paths, that are neither kept nor touched, beside `.git` and `.reviewloop`. @default ['node_modules'] */
  readonly ignore?: readonly string[] | undefined;
}

/**
 * A folder as a workspace: its files, symbolic links and folders, with their modes. Nothing but Node is needed, no version control.
 *
 * @param directory - An existing folder.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, workspace: folderWorkspace('site'), store: fileStore('.reviewloop') });
 * ```
 */
export function folderWorkspace(
  directory: string,
  options: FolderWorkspaceOptions = {},
): Workspace {
  const { root, leftOut, store } = checked(directory, options);
  const folder: KeptFolder = {
    root,
    leftOut,
    contents: new Contents(store),
    known: new KnownHashes(),
  };
  const state: State = { store, lock: undefined, turn: mutex() };
  return {
    snapshot: () => inTurn(state, 'kept', () => keepTree(folder)),
    restore: (digest) => inTurn(state, 'brought back', () => bringBack(folder, digest)),
    claim: () => claim(state, root),
  };
}

/** Where the states of a folder are kept unless it is said otherwise. */
function defaultWorkspaceStore(root: string): string {
  return resolve('.reviewloop', 'workspaces', hash('sha256', root).slice(0, 16));
}

interface State {
  readonly store: string;
  lock: HeldLock | undefined;
  /** One thing at a time. */
  readonly turn: Mutex;
}

function checked(
  directory: string,
  options: FolderWorkspaceOptions,
): { readonly root: string; readonly leftOut: LeftOut; readonly store: string } {
  checkKeys('folderWorkspace', options, ['store', 'ignore']);
  const { ignore = ['node_modules'] } = options;
  if (
    !Array.isArray(ignore) ||
    !ignore.every((pattern) => typeof pattern === 'string' && pattern !== '')
  )
    throw invalid('ignore', 'a list of names and globs', ignore);
  if (options.store !== undefined && (typeof options.store !== 'string' || options.store === ''))
    throw invalid('store', 'the path of a folder', options.store);
  const root = existingFolder(directory);
  const leftOut = leftOutBy(ignore);
  const store = resolve(options.store ?? defaultWorkspaceStore(root));
  const [top = '', ...rest] = relative(root, realOf(store)).split(sep);
  const inside = top !== '..' && !relative(root, realOf(store)).startsWith(`..${sep}`);
  if (inside && (rest.length === 0 || !leftOut(top)))
    throw invalid(
      'store',
      `outside of ${root}, or below a top-level name in it that is left alone, as in .reviewloop/states`,
      store,
    );
  return { root, leftOut, store };
}

function existingFolder(directory: string): string {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  try {
    const root = realpathSync(directory);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    throw new ReviewLoopError(
      'invalid_options',
      `expected \`directory\` to be an existing folder, got ${JSON.stringify(directory)}: ${messageOf(error)}`,
      { cause: error, value: directory },
    );
  }
  throw invalid('directory', 'a folder', directory);
}

/** A path with the links of the part of it that exists resolved. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = resolve(path, '..');
    return above === path ? path : join(realOf(above), relative(above, path));
  }
}

function inTurn<Value>(state: State, what: string, work: () => Promise<Value>): Promise<Value> {
  return state.turn(async () => {
    if (state.lock !== undefined && !(await state.lock.isHeld()))
      throw busy('another process has taken the workspace over while this one was silent');
    try {
      await prepared(state.store);
      return await work();
    } catch (error) {
      if (isReviewError(error)) throw error;
      throw new ReviewLoopError(
        'workspace_failed',
        `the folder could not be ${what}: ${messageOf(error)}`,
        { cause: error },
      );
    }
  });
}

/** Makes the store, and keeps it out of version control. */
async function prepared(store: string): Promise<void> {
  if ((await makeFolders(store)) !== undefined) await ignoreAll(store);
}

async function claim(state: State, root: string): Promise<WorkspaceClaim> {
  let lock: HeldLock | undefined;
  try {
    await prepared(state.store);
    lock = await takeLock(state.store, {
      clock: systemClock,
      heartbeatMs: 2000,
      patienceMs: 10_000,
    });
  } catch (error) {
    throw new ReviewLoopError(
      'workspace_failed',
      `${state.store} cannot be written: ${messageOf(error)}`,
      { cause: error, value: state.store },
    );
  }
  if (lock === undefined) throw busy(`a run, in this process or in another, is using ${root}`);
  state.lock = lock;
  return {
    release: async () => {
      if (state.lock === lock) state.lock = undefined;
      await lock.release();
    },
  };
}

function busy(what: string): ReviewLoopError {
  return new ReviewLoopError('workspace_busy', what);
}
