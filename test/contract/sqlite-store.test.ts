import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, it } from 'vitest';
import type { Store } from '@/ports/store.js';
import type { VerdictStore } from '@/ports/verdict-store.js';
import { type SqliteDriver, sqliteStore } from '@/stores/sqlite/index.js';
import { lessonStoreContract, storeContract, verdictStoreContract } from '@/testing/index.js';
import { nodeSqliteDouble } from '../support/node-sqlite-double.js';
import { emptyDirectory } from '../unit/stores/file-support.js';

const drivers: Readonly<Record<string, (file: string) => string | SqliteDriver>> = {
  'a file, by libsql': (file) => file,
  'a connection of libsql': (file) => new Libsql(file),
  'a connection of the shape of node:sqlite': (file) => nodeSqliteDouble(file),
};

for (const [name, open] of Object.entries(drivers)) {
  describe(`sqliteStore over ${name}`, () => {
    const files = new Map<Store | VerdictStore, string>();
    const make = () => {
      const file = join(emptyDirectory(), 'runs.db');
      const store = sqliteStore(open(file));
      files.set(store, file).set(store.verdicts, file);
      return store;
    };
    const again = (store: Store | VerdictStore) => sqliteStore(open(files.get(store) ?? ''));

    describe('keeps the contract of stores', () => {
      for (const { name, run } of storeContract(make, { reopen: again })) it(name, run);
    });

    describe('keeps the contract of verdict stores', () => {
      for (const { name, run } of verdictStoreContract(() => make().verdicts, {
        reopen: (verdicts) => again(verdicts).verdicts,
      }))
        it(name, run);
    });

    describe('keeps the contract of lesson stores', () => {
      for (const { name, run } of lessonStoreContract(() => make().lessons)) it(name, run);
    });
  });
}
