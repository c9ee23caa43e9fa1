import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryLessons } from '@/lessons/index.js';
import type { LessonStore } from '@/ports/lesson-store.js';
import { fileLessons } from '@/stores/file/index.js';
import { sqliteStore } from '@/stores/sqlite/index.js';
import { lessonStoreContract } from '@/testing/index.js';
import { emptyDirectory } from '../unit/stores/file-support.js';
import { faultsOf } from './faults.js';

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
