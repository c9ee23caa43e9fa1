import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { isThere } from '../node/files.js';
import { hookErrors } from './errors.js';

/**
 * Returns the folder of the project of an event: the nearest folder with a configuration, or with a
 * repository, at the folder of the event or above it; else the folder itself. A folder that was
 * removed counts as the folder above it.
 *
 * @param named - The folder that the agent calls its project. It counts if it contains `folder`.
 * @throws ReviewLoopError `project_unknown` if that is the root of the file system
 */
export async function projectRoot(
  folder: string,
  {
    named,
    configFiles,
  }: { readonly named?: string | undefined; readonly configFiles: readonly string[] },
): Promise<string> {
  const here = await existing(resolve(folder));
  const project = named === undefined ? undefined : await existing(resolve(named));
  if (project !== undefined && `${here}${sep}`.startsWith(`${project}${sep}`)) return project;
  const places = foldersUpFrom(here);
  const found = (await firstWith(places, configFiles)) ?? (await firstWith(places, ['.git']));
  if (found === undefined && dirname(here) === here)
    throw new ReviewLoopError(
      hookErrors.project_unknown,
      `${folder} is in no project: no folder above it has a configuration or a repository`,
      { value: folder },
    );
  return found ?? here;
}

/** Returns a folder and the folders above it, the nearest first. */
function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}

/** Returns the first folder that contains one of the names. */
async function firstWith(
  folders: readonly string[],
  names: readonly string[],
): Promise<string | undefined> {
  for (const folder of folders)
    for (const name of names) if (await isThere(join(folder, name))) return folder;
  return undefined;
}

/** Returns the nearest folder that exists, with links resolved. */
async function existing(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    const real = await realpath(place).catch(() => undefined);
    if (real !== undefined || dirname(place) === place) return real ?? place;
  }
}
