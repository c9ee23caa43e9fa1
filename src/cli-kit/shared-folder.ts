import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { nodeErrors } from '../node/errors.js';
import { checkedAddress } from '../stores/postgres/postgres-address.js';

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
 * @throws ReviewLoopError `invalid_options` for an address that is none
 */
export function sharedFolder(address: string, words = withoutPassword(address)): SharedFolder {
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
export function storeInVariable(store: string): string {
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
