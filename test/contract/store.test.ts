import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { fileLessons } from '@/adapters/stores/file/index.js';
import { type SqliteDriver, sqliteStore } from '@/adapters/stores/sqlite/index.js';
import type { LessonStore } from '@/ports/lesson-store.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { Journal, JournalRecord, Store } from '@/ports/store.js';
import type { VerdictStore } from '@/ports/verdict-store.js';
import { memoryLessons } from '@/products/lessons/lesson-book.js';
import { lessonStoreContract, storeContract, verdictStoreContract } from '@/testing/index.js';
import { nodeSqliteDouble } from '../support/node-sqlite-double.js';
import { emptyDirectory } from '../unit/adapters/stores/file-support.js';
import { faultsOf } from './faults.js';

describe('memoryStore keeps the contract of stores', () => {
  for (const { name, run } of storeContract(() => memoryStore())) it(name, run);
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

describe('storeContract finds stores that break it', () => {
  const brokenCases = async (makeStore: () => Store): Promise<string[]> => {
    return [...(await faultsOf(storeContract(makeStore)))];
  };

  it('one that lets a second writer in', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      const journals = new Map<string, Journal>();
      const open = async (runId: string, keep: boolean): Promise<Journal> => {
        await journals.get(runId)?.close();
        const journal = await store.open(runId, keep);
        journals.set(runId, journal);
        return journal;
      };
      return { ...store, open };
    });
    expect(broken.join('\n')).toMatch(/second writer/);
  });

  it('one that creates a run which must be known', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      return { ...store, openKnown: async (runId) => store.open(runId, true) };
    });
    expect(broken.join('\n')).toMatch(/an unknown run: expected a rejection/);
  });

  it('one that puts all runs into one journal', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      return {
        ...store,
        open: (_, keep) => store.open('one', keep),
        read: () => store.read('one'),
      };
    });
    expect(broken.length).toBeGreaterThan(3);
  });

  it('one that ignores the status it is asked for', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      return { ...store, list: () => store.list() };
    });
    expect(broken.join('\n')).toMatch(/approved runs: expected \["a","c"\], got \["a","b","c"\]/);
  });

  it('one that ignores the limit of a page', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      return { ...store, list: (query = {}) => store.list({ ...query, limit: query.limit && 9 }) };
    });
    expect(broken.join('\n')).toMatch(/a page must not exceed its limit/);
  });

  it('one that ignores the cursor of a page', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      let pages = 0;
      const list: Store['list'] = async ({ after, ...query } = {}) => {
        pages += 1;
        return pages > 9 ? [] : store.list(query);
      };
      return { ...store, list };
    });
    expect(broken.join('\n')).toMatch(/all pages: expected/);
  });

  it('one that ignores the pipeline that it is asked for', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      return { ...store, list: ({ pipeline, ...query } = {}) => store.list(query) };
    });
    expect(broken.join('\n')).toMatch(/list: expected \["a","d"\]/);
  });

  it('one whose orphans are open', async () => {
    const broken = await brokenCases(() => {
      const store = memoryStore();
      const orphans: Store['orphans'] = async () => ({
        runs: (await store.list({ status: 'running' })).map(({ runId }) => ({
          runId,
          pipeline: 'contract',
          epoch: '1',
        })),
      });
      return { ...store, orphans };
    });
    expect(broken.join('\n')).toMatch(/orphans: expected.*while open: expected/s);
  });

  it('one that forgets when it is opened again', async () => {
    const [survival] = storeContract(() => memoryStore(), { reopen: () => memoryStore() }).slice(
      -1,
    );
    await expect(survival?.run()).rejects.toThrow('records: expected');
    const [kept] = storeContract(() => memoryStore(), { reopen: (store) => store }).slice(-1);
    await kept?.run();
  });
});

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

function lessonList(): LessonStore {
  const lessons: string[] = [];
  return {
    relevantTo: async () => lessons.join('\n'),
    capture: async ({ outcome }) => void lessons.push(outcome.reason),
  };
}

describe('a list of lessons keeps the contract of lesson stores', () => {
  for (const { name, run } of lessonStoreContract(lessonList)) it(name, run);
});

describe('a store that only reads keeps it', () => {
  for (const { name, run } of lessonStoreContract(() => ({ relevantTo: async () => '' })))
    it(name, run);
});

describe('memoryLessons keeps the contract of lesson stores', () => {
  for (const { name, run } of lessonStoreContract(() => memoryLessons())) it(name, run);
});

const places = {
  fileLessons: (folder: string) => fileLessons(join(folder, 'lessons.jsonl')),
  'the lessons of sqliteStore': (folder: string) => sqliteStore(join(folder, 'runs.db')).lessons,
};

for (const [adapter, open] of Object.entries(places)) {
  describe(`${adapter} keeps the contract of lesson stores`, () => {
    const folders = new Map<LessonStore, string>();
    const make = (): LessonStore => {
      const folder = emptyDirectory();
      const store = open(folder);
      folders.set(store, folder);
      return store;
    };
    for (const { name, run } of lessonStoreContract(make, {
      reopen: (store) => open(folders.get(store) ?? ''),
    }))
      it(name, run);
  });
}

it.each([
  [
    'that knows only texts',
    { relevantTo: async (task: unknown) => (task as string).slice(0, 0) },
    /slice|null/,
  ],
  ['that starts with lessons', { relevantTo: async () => 'be brief' }, /empty store/],
  [
    'that fails to capture',
    { ...lessonList(), capture: () => Promise.reject(new Error('disk full')) },
    /disk full/,
  ],
] satisfies [string, LessonStore, RegExp][])(
  'lessonStoreContract finds a store that breaks it: %s',
  async (_, store, message) => {
    expect((await faultsOf(lessonStoreContract(() => store))).join('\n')).toMatch(message);
  },
);
