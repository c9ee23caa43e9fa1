import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { isThere } from '../../node/files.js';

/** What a run needs of the machine that continues it. */
export interface RunNeeds {
  /** The path of its configuration. */
  readonly config: string | false;
  /** The folder that its paths are relative to, if it works there. */
  readonly cwd?: string | undefined;
  /** The files that it writes back. */
  readonly files?: readonly string[] | undefined;
}

/**
 * Returns why a run cannot continue on this machine; `undefined` if it can. Only a shared store
 * contains runs of other machines.
 */
export async function missingHere(
  store: Pick<StoreHandle, 'folder'>,
  { config, cwd, files = [] }: RunNeeds,
): Promise<string | undefined> {
  if (store.folder !== undefined) return undefined;
  if (cwd !== undefined && !(await isThere(cwd))) return `its folder ${cwd} is not on this machine`;
  if (config !== false && !(await isThere(config)))
    return `its configuration ${config} is not on this machine`;
  for (const file of files)
    if (!(await isThere(file))) return `its file ${file} is not on this machine`;
  return undefined;
}
