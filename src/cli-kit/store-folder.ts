import { join, relative } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from '../node/errors.js';
import { databaseOf, databaseSuffix } from './database-of.js';
import { namesAddress } from './names-address.js';
import { sharedFolder, sharedIn, storeInVariable } from './shared-folder.js';
import { quoted } from './show/quoted.js';

/**
 * Returns the folder of a store: `DIR` of `file:DIR`, or the folder of reports next to the database
 * of `sqlite:FILE`. For the address of a database it stands for the store, and is never made.
 *
 * @throws ReviewLoopError `usage`, `invalid_options`
 */
export function storeFolder(store: string): string {
  if (store.startsWith('env:')) return folderInVariable(store);
  if (namesAddress(store)) return sharedFolder(store).folder;
  const [, kind, place = ''] = /^(file|sqlite):(.+)$/s.exec(store) ?? [];
  if (kind === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      '--store expects file:DIR, sqlite:FILE, an address like postgres://user@host/name, ' +
        `or env:NAME, got ${shownStore(store)}`,
    );
  if (kind === 'sqlite') return `${place.replace(/(?<![\\/])[\\/]+$/, '')}${databaseSuffix}`;
  if (databaseOf(place.replace(/(?<![\\/])[\\/]+$/, '')) === undefined) return place;
  throw new ReviewLoopError(
    nodeErrors.usage,
    `--store got the folder of reports of a database; pass sqlite:${databaseOf(place)}`,
    { value: store },
  );
}

/** Returns the store that an environment variable names: of any kind, but no other variable. */
function folderInVariable(store: string): string {
  const value = storeInVariable(store);
  if (value.startsWith('env:'))
    throw new ReviewLoopError(
      nodeErrors.usage,
      `--store ${store}: the variable must contain an address, not the name of another variable`,
      { value: store },
    );
  return namesAddress(value) ? sharedFolder(value, store).folder : storeFolder(value);
}

/** Returns what may be shown of a wrong `--store`: an address may hold a password. */
function shownStore(store: string): string {
  return JSON.stringify(/@|:\//.test(store) ? `${store.replace(/[:@].*$/s, '')}...` : store);
}

/** Returns the `--store` of a next command, with a space before it; '' for the default store. */
export function storeWords(cwd: string, folder: string): string {
  const shared = sharedIn(folder);
  if (shared !== undefined) return ` --store ${quoted(shared.words)}`;
  const database = databaseOf(folder);
  if (database !== undefined) return ` --store ${quoted(`sqlite:${relative(cwd, database)}`)}`;
  const shown = relative(cwd, folder);
  return shown === '.reviewloop' ? '' : ` --store ${quoted(`file:${shown || '.'}`)}`;
}

/**
 * Returns the folder for what belongs to the files of this machine, such as worktrees and patches:
 * that of the store, or `.reviewloop` below a folder if the store is shared.
 */
export function localFolder(folder: string, below: string): string {
  return sharedIn(folder) === undefined ? folder : join(below, '.reviewloop');
}
