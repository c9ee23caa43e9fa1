import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import {
  fileAttempts,
  fileAudit,
  fileChecklists,
  fileLessons,
  fileStore,
  fileVerdicts,
  verifyAudit,
} from '@/adapters/stores/file/index.js';
import { type SqliteDriver, sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { memoryLessons } from '@/blocks/lessons/lesson-book.js';
import { memoryVerdicts } from '@/index.js';
import { auditLine } from '@/ports/audit-chain.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { JournalRecord, Store } from '@/ports/store.js';
import {
  type ChecklistStore,
  checklistVerdicts,
  decodeChecklist,
  memoryChecklists,
} from '@/products/checklist-gate/index.js';
import { memoryAttempts } from '@/products/task-review/index.js';
import { nodeSqliteDouble } from '../support/node-sqlite-double.js';
import { newDirectory } from '../unit/adapters/stores/file-support.js';
import { newFile } from '../unit/adapters/stores/sqlite-support.js';
import { keeps, recordsOf } from './faults.js';

describe('stores in memory keep the contract', () =>
  keeps({
    ...{ runs: () => memoryStore(), verdicts: () => memoryVerdicts() },
    ...{ lessons: () => memoryLessons(), attempts: () => memoryAttempts() },
    checklists: () => memoryChecklists(),
  }));

describe('stores in files keep the contract', () =>
  keeps({
    place: newDirectory,
    runs: (folder) => fileStore(folder),
    verdicts: (folder) => fileVerdicts(folder),
    lessons: (folder) => fileLessons(join(folder, 'lessons.jsonl')),
    attempts: (folder) => fileAttempts(folder),
    checklists: (folder) => fileChecklists(folder),
    audit: (folder) => fileAudit(folder),
    records: (folder) => recordsOf((options) => verifyAudit(folder, options)),
  }));

const drivers: Readonly<Record<string, (file: string) => string | SqliteDriver>> = {
  'a file, by libsql': (file) => file,
  'a connection of libsql': (file) => new Libsql(file),
  'a connection of the shape of node:sqlite': (file) => nodeSqliteDouble(file),
};

describe.each(Object.entries(drivers))('sqliteStore over %s keeps the contract', (_, driver) => {
  const open = (file: string) => sqliteStore(driver(file));
  keeps({
    place: newFile,
    runs: open,
    verdicts: (file) => open(file).verdicts,
    lessons: (file) => open(file).lessons,
    attempts: (file) => open(file).attempts,
    audit: (file) => open(file).audit,
    records: (file) => recordsOf(open(file).verifyAudit),
  });
});

describe('a store of lessons that only reads keeps the contract', () =>
  keeps({ lessons: () => ({ relevantTo: async () => '' }) }));

describe('the state of a checklist keeps the contract of verdicts', () => {
  const phase = 'plan-code';
  const item = {
    ...{ id: 'tone', scope: '*', check: 'x', status: 'TODO', finding: null },
    ...{ severity: 'MAY', iteration: 1, version: 1 },
  };
  const begun = (items: readonly object[]): string =>
    JSON.stringify({ schema_version: '1.1', phase, iteration: 1, items });
  const verdictsOn = async (store: ChecklistStore, text: string) => {
    const where = 'x';
    await store.update(phase, (state) => state ?? decodeChecklist(text, { phase, where }));
    return checklistVerdicts(store, phase);
  };
  describe.each([
    ['verdicts on no item', begun([])],
    ['verdicts on an item', begun([item, { ...item, id: 'another' }])],
  ])('%s [QR-57]', (_, text) => {
    describe('in memory', () => keeps({ verdicts: () => verdictsOn(memoryChecklists(), text) }));
    describe('in qr-plan-code.json', () =>
      keeps({
        place: newDirectory,
        verdicts: (folder) => verdictsOn(fileChecklists(folder), text),
      }));
  });
});

describe('memoryStore: runs whose id the engine made', () => {
  const end = (status: string): JournalRecord => ({ type: 'end', status, code: status, at: 1 });
  const finish = async (store: Store, runId: string, status: string): Promise<void> => {
    const journal = await store.open(runId, false);
    await journal.append(end(status));
    await journal.close();
  };

  it('forgets the records of one that has ended, and still lists it', async () => {
    const store = memoryStore();
    await finish(store, 'a', 'approved');
    expect(await store.read('a')).toBeUndefined();
    expect(await store.list({ status: 'approved' })).toEqual([{ runId: 'a', status: 'approved' }]);
  });

  it('keeps one that is suspended', async () => {
    const store = memoryStore();
    await finish(store, 'a', 'suspended');
    expect(await store.read('a')).toEqual([end('suspended')]);
  });

  it('lists the last thousand', async () => {
    const store = memoryStore();
    for (let index = 0; index < 1002; index += 1) await finish(store, `run-${index}`, 'approved');
    const listed = await store.list();
    expect(listed.length).toBe(1000);
    expect(listed[0]).toEqual({ runId: 'run-2', status: 'approved' });
  });
});

it('a record in a file is the line that the chain checks', async () => {
  const folder = newDirectory();
  await fileAudit(folder).record({ kind: 'answer', who: 'Ada' });
  const records = await recordsOf((options) => verifyAudit(folder, options));
  const text = readFileSync(join(folder, 'audit.jsonl'), 'utf8');
  expect(text).toBe(records.map((record) => `${auditLine(record)}\n`).join(''));
});
