import { chmod, mkdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { mapBounded } from '../../core/map-bounded.js';
import { temporaryBeside } from '../../node/durable.js';
import { storeErrors } from '../errors.js';
import { isEmpty, planRestore, type RestorePlan } from './restore-plan.js';
import type { WorkspaceFolder } from './save-snapshot.js';
import { modeOf, type ScannedEntry, scanFolder, shown } from './scan-folder.js';
import { decodeTree, parentOf, type TreeEntry } from './tree-format.js';

/** Files checked or written in parallel. */
const width = 8;

/**
 * Restores a stored tree. It checks all stored contents before the first change, and does not touch
 * correct entries. After a crash, a second call finishes the work.
 *
 * @throws ReviewLoopError `workspace_missing`, `workspace_damaged`, `workspace_changed`,
 *   `workspace_unreadable`
 */
export async function restoreFiles(folder: WorkspaceFolder, digest: string): Promise<void> {
  const text = await folder.contents.readTree(digest);
  if (text === undefined)
    throw new ReviewLoopError(
      storeErrors.workspace_missing,
      `no state ${shown(digest)} of ${folder.root} is stored`,
      { value: digest },
    );
  const wanted = decodeTree(text, digest);
  const { root, ignored } = folder;
  const found = await scanFolder({ root, ignored, toReplace: true });
  const plan = await planRestore(folder, wanted, found);
  await checkContents(folder, plan);
  if (!isEmpty(plan)) await apply(folder, plan, found);
  await setFolderModes(
    folder,
    wanted,
    isEmpty(plan) ? found : await scanFolder({ root, ignored, toReplace: true }),
  );
}

async function checkContents({ contents }: WorkspaceFolder, { write }: RestorePlan): Promise<void> {
  const byHash = new Map(write.map((entry) => [entry.hash, entry]));
  await mapBounded([...byHash.values()], width, async (entry) => {
    const problem = await contents.problemWith(entry);
    if (problem !== undefined)
      throw new ReviewLoopError(
        storeErrors.workspace_damaged,
        `cannot restore ${shown(entry.path)}: ${problem}`,
        { value: entry.path },
      );
  });
}

async function apply(
  { root, contents }: WorkspaceFolder,
  plan: RestorePlan,
  found: readonly ScannedEntry[],
): Promise<void> {
  for (const { path, stats } of found)
    if (stats.isDirectory() && (modeOf(stats) & 0o700) !== 0o700)
      await chmod(join(root, path), modeOf(stats) | 0o700);
  await mapBounded(plan.remove, width, async (path) =>
    rm(await placeOf(root, path), { recursive: true, force: true }),
  );
  for (const path of plan.make) await mkdir(await placeOf(root, path));
  await mapBounded(plan.write, width, async (entry) =>
    contents.restore(entry, await placeOf(root, entry.path)),
  );
  for (const { path, target } of plan.link) await makeLink(await placeOf(root, path), target);
  for (const { path, mode } of plan.mode) await chmod(await placeOf(root, path), mode);
}

/**
 * Returns the absolute path of an entry after checking that no link leads elsewhere.
 *
 * @throws ReviewLoopError `workspace_changed`
 */
async function placeOf(root: string, path: string): Promise<string> {
  const above = join(root, parentOf(path));
  const real = await realpath(above).catch(() => undefined);
  if (real !== above)
    throw new ReviewLoopError(
      storeErrors.workspace_changed,
      `the folder of ${shown(path)} was replaced while it was restored`,
      { value: path },
    );
  return join(root, path);
}

async function makeLink(path: string, target: string): Promise<void> {
  const temporary = temporaryBeside(path);
  await symlink(target, temporary);
  await rename(temporary, path);
}

/** Sets the modes of folders, the deepest first: a closed folder hides its content. */
async function setFolderModes(
  { root }: WorkspaceFolder,
  wanted: readonly TreeEntry[],
  found: readonly ScannedEntry[],
): Promise<void> {
  const now = new Map(found.map(({ path, stats }) => [path, modeOf(stats)]));
  for (const entry of [...wanted].reverse())
    if (entry.kind === 'folder' && now.get(entry.path) !== entry.mode)
      await chmod(await placeOf(root, entry.path), entry.mode);
}
