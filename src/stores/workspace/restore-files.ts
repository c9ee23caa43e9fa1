import { chmod, mkdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { temporaryBeside } from '../../node/durable.js';
import { mapBounded } from '../../ports/limiter.js';
import { storeErrors } from '../errors.js';
import { decodeTree, parentOf, type TreeEntry } from './manifest.js';
import { isEmpty, type Plan, planFor } from './plan.js';
import type { KeptFolder } from './save-snapshot.js';
import { type Found, modeOf, shown, walk } from './walk.js';

const width = 8;

/**
 * Brings a tree back. What is missing of it is found before anything is changed; what is already right is not touched; and
 * done again after it was cut off anywhere, it gives the same.
 *
 * @throws ReviewLoopError `workspace_missing`, `workspace_damaged`, `workspace_changed`, `workspace_unreadable`
 */
export async function bringBack(folder: KeptFolder, digest: string): Promise<void> {
  const text = await folder.contents.tree(digest);
  if (text === undefined)
    throw new ReviewLoopError(
      storeErrors.workspace_missing,
      `no state ${shown(digest)} of ${folder.root} is kept`,
      { value: digest },
    );
  const wanted = decodeTree(text, digest);
  const { root, leftOut } = folder;
  const found = await walk({ root, leftOut, toReplace: true });
  const plan = await planFor(folder, wanted, found);
  await checkContents(folder, plan);
  if (!isEmpty(plan)) await apply(folder, plan, found);
  await setFolderModes(
    folder,
    wanted,
    isEmpty(plan) ? found : await walk({ root, leftOut, toReplace: true }),
  );
}

async function checkContents({ contents }: KeptFolder, { write }: Plan): Promise<void> {
  const byHash = new Map(write.map((entry) => [entry.hash, entry]));
  await mapBounded([...byHash.values()], width, async (entry) => {
    const wrong = await contents.wrongWith(entry);
    if (wrong !== undefined)
      throw new ReviewLoopError(
        storeErrors.workspace_damaged,
        `what was kept of ${shown(entry.path)} cannot be brought back: ${wrong}`,
        { value: entry.path },
      );
  });
}

async function apply(
  { root, contents }: KeptFolder,
  plan: Plan,
  found: readonly Found[],
): Promise<void> {
  for (const { path, stats } of found)
    if (stats.isDirectory() && (modeOf(stats) & 0o700) !== 0o700)
      await chmod(join(root, path), modeOf(stats) | 0o700);
  await mapBounded(plan.remove, width, async (path) =>
    rm(await placeOf(root, path), { recursive: true, force: true }),
  );
  for (const path of plan.make) await mkdir(await placeOf(root, path));
  await mapBounded(plan.write, width, async (entry) =>
    contents.bringBack(entry, await placeOf(root, entry.path)),
  );
  for (const { path, target } of plan.link) await makeLink(await placeOf(root, path), target);
  for (const { path, mode } of plan.mode) await chmod(await placeOf(root, path), mode);
}

/**
 * Where something belongs, once it is certain that no link on the way leads elsewhere.
 *
 * @throws ReviewLoopError `workspace_changed`
 */
async function placeOf(root: string, path: string): Promise<string> {
  const above = join(root, parentOf(path));
  const real = await realpath(above).catch(() => undefined);
  if (real !== above)
    throw new ReviewLoopError(
      storeErrors.workspace_changed,
      `the folder of ${shown(path)} was replaced while it was brought back`,
      { value: path },
    );
  return join(root, path);
}

async function makeLink(path: string, target: string): Promise<void> {
  const temporary = temporaryBeside(path);
  await symlink(target, temporary);
  await rename(temporary, path);
}

/** The deepest first: a folder that may not be entered hides what is in it. */
async function setFolderModes(
  { root }: KeptFolder,
  wanted: readonly TreeEntry[],
  found: readonly Found[],
): Promise<void> {
  const now = new Map(found.map(({ path, stats }) => [path, modeOf(stats)]));
  for (const entry of [...wanted].reverse())
    if (entry.kind === 'folder' && now.get(entry.path) !== entry.mode)
      await chmod(await placeOf(root, entry.path), entry.mode);
}
