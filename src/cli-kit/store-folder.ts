import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { nodeErrors } from '../node/errors.js';
import { checkedAddress } from '../stores/postgres/postgres-address.js';
import { namesAddress } from './names-address.js';
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

/** A store in a database that several machines share. */
export interface SharedFolder {
  /** Stands for the store wherever a command takes a folder; no folder is made there. */
  readonly folder: string;
  /** The address, with its password; it is never printed. */
  readonly address: string;
  /** What `--store` names it by in printed commands: without a password. */
  readonly words: string;
  /** Its name in messages. */
  readonly name: string;
}

const byFolder = new Map<string, SharedFolder>();
const byWords = new Map<string, SharedFolder>();

/**
 * Returns the store that an address names. Later calls may name it by its words, which have no
 * password.
 *
 * @throws ReviewLoopError `invalid_options` for an invalid address
 */
function sharedFolder(address: string, words = withoutPassword(address)): SharedFolder {
  const known = byWords.get(words);
  // the words alone must not replace the address with its password
  if (known !== undefined && (words === address || known.address === address)) return known;
  const { shown: name } = checkedAddress(address);
  if (name.includes('@') || /@.*@/s.test(words))
    throw new ReviewLoopError(
      nodeErrors.usage,
      'the password in the address contains characters that end it: write / as %2F, # as %23, @ as %40',
    );
  const folder = join(tmpdir(), `reviewloop-${hashText(address).slice(0, 16)}.postgres`);
  const shared = { folder, address, words, name };
  byFolder.set(folder, shared);
  byWords.set(words, shared);
  return shared;
}

/** Returns the shared store that a folder stands for; `undefined` for a folder of this disk. */
export function sharedIn(folder: string): SharedFolder | undefined {
  return byFolder.get(folder);
}

/**
 * Returns the value of the environment variable in `env:NAME`.
 *
 * @throws ReviewLoopError `usage`
 */
function storeInVariable(store: string): string {
  const name = store.slice('env:'.length);
  const value = process.env[name];
  if (/^\w+$/.test(name) && value !== undefined && value !== '') return value;
  throw new ReviewLoopError(
    nodeErrors.usage,
    `--store env:${name}: the environment variable ${name || 'NAME'} is not set; ` +
      'set it to the address of a database, such as postgres://user@host/name',
    { value: store },
  );
}

/** Returns an address without what is secret in it. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.password = '';
  for (const name of [...url.searchParams.keys()])
    if (/pass/i.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** The suffix of the folder of reports next to a database. No other store may use such a folder. */
const databaseSuffix = '.sqlite-reports';

/** Returns the database of a folder of reports; `undefined` for a file store. */
export function databaseOf(folder: string): string | undefined {
  return folder.endsWith(databaseSuffix) ? folder.slice(0, -databaseSuffix.length) : undefined;
}
