import type { AuditVerification } from '../../adapters/stores/file/index.js';
import type { VerifyAuditOptions } from '../../adapters/stores/file/verify-audit.js';
import type { SharedLimits } from '../../adapters/stores/postgres/index.js';
import { checkedAddress } from '../../adapters/stores/postgres/postgres-address.js';
import type { PostgresDatabase } from '../../adapters/stores/postgres/postgres-database.js';
import type { PruneOptions, PruneVerdictsOptions } from '../../adapters/stores/store-options.js';
import type { ReadableLessonStore } from '../../blocks/lessons/lesson-store.js';
import type { StoreFiles } from '../../node/store-file.js';
import type { AttemptStore } from '../../ports/attempt-store.js';
import type { AuditSink } from '../../ports/audit-chain.js';
import type { Store } from '../../ports/store.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import { usageError } from './errors.js';

/** Whoever opened it closes it. */
export interface StoreHandle {
  readonly runs: Store;
  readonly files: StoreFiles;
  readonly audit: AuditSink;
  readonly verdicts: VerdictStore;
  /** The lessons of `learn: true`. */
  readonly lessons: () => Promise<ReadableLessonStore>;
  readonly attempts: AttemptStore;
  readonly limits?: Pick<SharedLimits, 'rateLimit' | 'spendingLimit'> | undefined;
  readonly verifyAudit: (options: VerifyAuditOptions) => Promise<AuditVerification>;
  readonly auditPlace: string;
  readonly prune: (options: PruneOptions) => Promise<readonly string[]>;
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
  readonly tables?: StoreTables | undefined;
  readonly database?: PostgresDatabase | undefined;
  /** Its folder on this machine; `undefined` if other machines share it. */
  readonly folder: string | undefined;
  readonly file?: string | undefined;
  /** The paths of the store, which are never reviewed. */
  readonly own: readonly string[];
  readonly text: string;
  /** Returns the `--store` of a next command, with a space before it; '' for the default store. */
  readonly words: (cwd: string) => string;
  /**
   * Returns the folder for what belongs to the files of this machine, such as worktrees and patches:
   * its own, or `.reviewloop` below a folder if it is shared.
   */
  readonly local: (below: string) => string;
  /** Returns whether there is anything to read. Reading must not create a database. */
  readonly exists: () => boolean;
  /** Makes the store ready for runs. An unusable database stops the command before any work. */
  readonly prepare: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface StoreTables {
  readonly query: (
    sql: string,
    ...values: string[]
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly schema: '' | 'reviewloop.';
  readonly value: '?' | '$1';
}

type StorePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'sqlite'; readonly file: string }
  | PostgresPlace;

export interface PostgresPlace {
  readonly kind: 'postgres';
  /** With its password; it is never printed. */
  readonly address: string;
  readonly name: string;
  readonly text: string;
}

/** A database has a folder of reports beside it, which no other store may use. */
export const databaseSuffix = '.sqlite-reports';

/** `file:DIR`, `sqlite:FILE`, an address, or `env:NAME`. */
export function storePlace(text: string): StorePlace {
  if (text.startsWith('env:')) return placeInVariable(text);
  if (isAddress(text)) return placeAt(text, withoutPassword(text));
  const [, kind, place = ''] = /^(file|sqlite):(.+)$/s.exec(text) ?? [];
  if (kind === undefined)
    throw usageError(
      '--store expects file:DIR, sqlite:FILE, an address like postgres://user@host/name, ' +
        `or env:NAME, got ${shownStore(text)}`,
    );
  const plain = place.replace(/(?<![\\/])[\\/]+$/, '');
  if (kind === 'sqlite') return { kind, file: plain };
  if (!plain.endsWith(databaseSuffix)) return { kind: 'folder', folder: place };
  throw usageError(
    '--store got the folder of reports of a database; ' +
      `pass sqlite:${plain.slice(0, -databaseSuffix.length)}`,
    text,
  );
}

/** It may name any store, but no other variable. */
function placeInVariable(text: string): StorePlace {
  const name = text.slice('env:'.length);
  const value = process.env[name];
  if (!/^\w+$/.test(name) || value === undefined || value === '')
    throw usageError(
      `--store env:${name}: the environment variable ${name || 'NAME'} is not set; ` +
        'set it to the address of a database, such as postgres://user@host/name',
      text,
    );
  if (value.startsWith('env:'))
    throw usageError(
      `--store ${text}: the variable must contain an address, not the name of another variable`,
      text,
    );
  return isAddress(value) ? placeAt(value, text) : storePlace(value);
}

function isAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

function placeAt(address: string, text: string): StorePlace {
  const { shown: name } = checkedAddress(address);
  if (!name.includes('@') && !/@.*@/s.test(text)) return { kind: 'postgres', address, name, text };
  throw usageError(
    'the password in the address contains characters that end it: write / as %2F, # as %23, @ as %40',
  );
}

/** An address may hold a password. */
function shownStore(store: string): string {
  return JSON.stringify(/@|:\//.test(store) ? `${store.replace(/[:@].*$/s, '')}...` : store);
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.password = '';
  for (const name of [...url.searchParams.keys()])
    if (/pass/i.test(name)) url.searchParams.delete(name);
  return url.href;
}
