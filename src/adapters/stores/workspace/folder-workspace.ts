import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { type Mutex, mutex } from '../../../core/mutex.js';
import { checkKeys, invalid } from '../../../core/options.js';
import { makeFolders } from '../../../node/durable.js';
import { systemReason } from '../../../node/files.js';
import { type HeldLock, takeLock } from '../../../node/lock.js';
import { addGitignore, checkedFolder } from '../../../node/store-file.js';
import { systemClock } from '../../../ports/clock.js';
import { portErrors } from '../../../ports/errors.js';
import type { Workspace, WorkspaceClaim } from '../../../ports/workspace.js';
import { ContentStore } from './content-store.js';
import { restoreFiles } from './restore-files.js';
import { saveSnapshot, type WorkspaceFolder } from './save-snapshot.js';
import { HashCache, type IgnoredPaths, ignoredPaths } from './scan-folder.js';

export interface FolderWorkspaceOptions {
  /**
   * Folder for the snapshots. Inside the workspace it must be below an ignored top-level name.
   * @default .reviewloop/workspaces/HASH in the working directory, with a hash of the folder's
   *   path
   */
  readonly store?: string | undefined;
  /**
   * Names, or globs of paths, that are neither saved nor changed. `.git` and `.reviewloop` are
   * always ignored.
   * @default ['node_modules']
   */
  readonly ignore?: readonly string[] | undefined;
}

/**
 * Creates a workspace from a folder. Snapshots contain its files, symbolic links and folders with
 * their modes. It needs no version control.
 *
 * @param directory - An existing folder.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({
 *   ...options,
 *   workspace: folderWorkspace('site'),
 *   store: fileStore('.reviewloop'),
 * });
 * ```
 */
export function folderWorkspace(
  directory: string,
  options: FolderWorkspaceOptions = {},
): Workspace {
  const { root, ignored, store } = checked(directory, options);
  const folder: WorkspaceFolder = {
    root,
    ignored,
    contents: new ContentStore(store),
    hashes: new HashCache(),
  };
  const state: State = { store, lock: undefined, turn: mutex() };
  return {
    snapshot: () => inTurn(state, 'saved', () => saveSnapshot(folder)),
    restore: (digest) => inTurn(state, 'restored', () => restoreFiles(folder, digest)),
    claim: () => claim(state, root),
  };
}

function defaultWorkspaceStore(root: string): string {
  return resolve('.reviewloop', 'workspaces', hash('sha256', root).slice(0, 16));
}

interface State {
  readonly store: string;
  lock: HeldLock | undefined;
  /** Runs one operation after another. */
  readonly turn: Mutex;
}

function checked(
  directory: string,
  options: FolderWorkspaceOptions,
): { readonly root: string; readonly ignored: IgnoredPaths; readonly store: string } {
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
  const ignored = ignoredPaths(ignore);
  const store = resolve(options.store ?? defaultWorkspaceStore(root));
  const [top = '', ...rest] = relative(root, realOf(store)).split(sep);
  const inside = top !== '..' && !relative(root, realOf(store)).startsWith(`..${sep}`);
  if (inside && (rest.length === 0 || !ignored(top)))
    throw invalid(
      'store',
      `outside of ${root}, or below an ignored top-level name in it, as in .reviewloop/states`,
      store,
    );
  return { root, ignored, store };
}

function existingFolder(directory: string): string {
  checkedFolder(directory);
  try {
    const root = realpathSync(directory);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    throw new ReviewLoopError(
      'invalid_options',
      `expected \`directory\` to be an existing folder: cannot read ${directory}: ${systemReason(error)}`,
      { cause: error, value: directory },
    );
  }
  throw invalid('directory', 'a folder', directory);
}

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
      throw busy(`another process took over the lock of ${state.store}`);
    try {
      await createStore(state.store);
      return await work();
    } catch (error) {
      if (isReviewError(error)) throw error;
      throw new ReviewLoopError(
        portErrors.workspace_failed,
        `the folder could not be ${what}: ${systemReason(error)}`,
        { cause: error },
      );
    }
  });
}

async function createStore(store: string): Promise<void> {
  if ((await makeFolders(store)) !== undefined) await addGitignore(store);
}

async function claim(state: State, root: string): Promise<WorkspaceClaim> {
  let lock: HeldLock | undefined;
  try {
    await createStore(state.store);
    lock = await takeLock(state.store, {
      clock: systemClock,
      heartbeatMs: 2000,
      patienceMs: 10_000,
    });
  } catch (error) {
    throw new ReviewLoopError(
      portErrors.workspace_failed,
      `cannot write ${state.store}: ${systemReason(error)}`,
      { cause: error, value: state.store },
    );
  }
  if (lock === undefined) throw busy(`another run is using ${root}`);
  state.lock = lock;
  return {
    release: async () => {
      if (state.lock === lock) state.lock = undefined;
      await lock.release();
    },
  };
}

function busy(what: string): ReviewLoopError {
  return new ReviewLoopError(portErrors.workspace_busy, what);
}
