import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileVerdicts, pruneVerdicts } from '@/adapters/stores/file/index.js';
import { definePipeline, memoryVerdicts } from '@/index.js';
import { type StoredVerdict, verdictKey } from '@/ports/index.js';
import { errorWith, expectCode, withCode } from '../../../support/matchers.js';
import { passed, reviewer } from '../../engine/support.js';
import { emptyDirectory, newDirectory, warningLogger } from './file-support.js';

const aboutOf = (view: string) => ({ reviewer: 'r', version: '1', task: 't', view });
const keyOf = (view: string): string => verdictKey(aboutOf(view));
const verdictOf = (view: string): StoredVerdict => ({
  schema: 1,
  about: aboutOf(view),
  assessments: [{ verdict: 'pass', criterion: 'r', score: 1, explanation: view, gaps: [] }],
  usage: {},
  at: 1,
});
const fileOf = (directory: string, view: string): string => {
  const key = keyOf(view);
  return join(directory, key.slice(0, 1), key.slice(1, 2), `${key}.json`);
};

async function written(view = 'v') {
  const directory = newDirectory();
  const store = fileVerdicts(directory);
  await store.put(keyOf(view), verdictOf(view));
  return { directory, store, path: fileOf(directory, view), key: keyOf(view) };
}

describe('fileVerdicts', () => {
  it('keeps a verdict in a file on two levels of folders, with a .gitignore in a new directory, and nothing else', async () => {
    const { directory, path } = await written();
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', keyOf('v').slice(0, 1)].sort());
    expect(readdirSync(dirname(path))).toEqual([`${keyOf('v')}.json`]);
    expect(readFileSync(path, 'utf8')).toMatch(
      /^\{"v":1,"key":"[0-9a-f]{64}","sha256":"[0-9a-f]{64}"\}\n\{"schema":1,.*\}\n$/,
    );
  });

  it('makes nothing before the first put, and leaves a directory that is in use alone', async () => {
    const directory = newDirectory();
    expect(await fileVerdicts(directory).get(keyOf('v'))).toBeUndefined();
    expect(existsSync(directory)).toBe(false);
    const mine = emptyDirectory();
    writeFileSync(join(mine, 'mine.txt'), 'mine');
    await fileVerdicts(mine).put(keyOf('v'), verdictOf('v'));
    expect(existsSync(join(mine, '.gitignore'))).toBe(false);
  });

  it('takes any text as a key, and reaches nothing outside', async () => {
    const directory = newDirectory();
    const store = fileVerdicts(directory);
    for (const key of ['', '../a', 'a/b', 'a\0', 'a'.repeat(10_000), 'ä', '__proto__']) {
      await store.put(key, verdictOf(key));
      expect(await store.get(key)).toEqual(verdictOf(key));
    }
    expect(readdirSync(dirname(directory))).toEqual(['store']);
  });

  it.each(['', 7, undefined])('refuses %j as a directory', (directory) => {
    expect(() => fileVerdicts(directory as string)).toThrow(withCode('invalid_options'));
  });

  it('refuses a file that is cut off anywhere, and the next put mends it', async () => {
    const { store, path, key } = await written();
    const size = statSync(path).size;
    for (let length = size - 1; length >= 0; length -= 1) {
      truncateSync(path, length);
      await expect(store.get(key), `${length} of ${size} bytes`).rejects.toMatchObject({
        code: 'verdict_corrupt',
      });
    }
    await store.put(key, verdictOf('v'));
    expect(await store.get(key)).toEqual(verdictOf('v'));
  });

  it('gives back nothing else than what was put, whatever byte is changed', async () => {
    const { store, path, key } = await written();
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ change;
          writeFileSync(path, bytes);
          const found = await store.get(key).catch((error: unknown) => error);
          // a head that says the same in other words does no harm
          if (found instanceof Error)
            expect(found).toMatchObject({
              code: expect.stringMatching(/^verdict_(corrupt|newer)$/),
            });
          else expect(found).toEqual(verdictOf('v'));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('refuses the entry of another key, and what a later version wrote', async () => {
    const { directory, store, path } = await written();
    const other = fileOf(directory, 'other');
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, readFileSync(path));
    await expect(store.get(keyOf('other'))).rejects.toMatchObject(
      errorWith('verdict_corrupt', 'another key'),
    );
    writeFileSync(path, '{"v":2,"rows":[]}\n');
    await expect(store.get(keyOf('v'))).rejects.toMatchObject({ code: 'verdict_newer' });
    await store.put(keyOf('v'), { ...verdictOf('v'), schema: 2 as 1 });
    await expect(store.get(keyOf('v'))).rejects.toMatchObject({ code: 'verdict_newer' });
  });

  it('where nothing can be read or written, says so with a code; the run goes on and logs it', async () => {
    const file = join(emptyDirectory(), 'file');
    writeFileSync(file, 'no folder');
    const store = fileVerdicts(join(file, 'below'));
    await expectCode(store.put(keyOf('v'), verdictOf('v')), 'verdict_unavailable');
    await expect(store.get(keyOf('v'))).rejects.toMatchObject({ code: 'verdict_unavailable' });
    const { path, store: odd, key } = await written();
    truncateSync(path, 0);
    const { warnings, logger } = warningLogger();
    for (const verdicts of [store, { ...odd, get: () => odd.get(key) }]) {
      const outcome = await definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [reviewer('r', async () => [passed('r')])],
        verdicts,
        logger,
      }).run('task');
      expect(outcome).toMatchObject({ approved: true });
    }
    expect(warnings.flatMap((fields) => ('code' in fields ? [fields.code] : []))).toEqual([
      'verdict_unavailable',
      'verdict_unavailable',
      'verdict_corrupt',
    ]);
  });
});

describe('memoryVerdicts', () => {
  it('lets the one go that was not used for longest', async () => {
    const store = memoryVerdicts({ max: 2 });
    for (const view of ['a', 'b']) await store.put(keyOf(view), verdictOf(view));
    await store.get(keyOf('a'));
    await store.put(keyOf('c'), verdictOf('c'));
    const held = await Promise.all(
      ['a', 'b', 'c'].map(async (view) => (await store.get(keyOf(view))) !== undefined),
    );
    expect(held).toEqual([true, false, true]);
  });

  it.each([{ max: 0 }, { max: 1.5 }, { max: '1' }, { size: 1 }])('refuses %j', (options) => {
    expect(() => memoryVerdicts(options as { max: number })).toThrow(withCode('invalid_options'));
  });
});

describe('pruneVerdicts', () => {
  const hours = (count: number): number => count * 3_600_000;
  const aged = async (ages: Readonly<Record<string, number>>) => {
    const directory = newDirectory();
    const store = fileVerdicts(directory);
    for (const [view, age] of Object.entries(ages)) {
      await store.put(keyOf(view), verdictOf(view));
      const then = new Date(Date.now() - age);
      utimesSync(fileOf(directory, view), then, then);
    }
    const left = async (): Promise<string[]> => {
      const found = await Promise.all(
        Object.keys(ages).map(async (view) =>
          (await store.get(keyOf(view))) === undefined ? [] : [view],
        ),
      );
      return found.flat();
    };
    return { directory, left };
  };

  it('removes what is older, and all but the newest', async () => {
    const { directory, left } = await aged({ a: hours(5), b: hours(3), c: hours(2), d: 0 });
    expect(await pruneVerdicts(directory, { olderThanMs: hours(4) })).toBe(1);
    expect(await left()).toEqual(['b', 'c', 'd']);
    expect(await pruneVerdicts(directory, { olderThanMs: hours(4), max: 2 })).toBe(1);
    expect(await left()).toEqual(['c', 'd']);
    expect(await pruneVerdicts(directory, { olderThanMs: hours(4), max: 2 })).toBe(0);
  });

  it('removes what killed writers left, and no file of others', async () => {
    const { directory } = await aged({ a: 0 });
    const folder = dirname(fileOf(directory, 'a'));
    const [old, fresh, mine] = [
      `.reviewloop-${'0'.repeat(16)}.tmp`,
      `.reviewloop-${'1'.repeat(16)}.tmp`,
      'notes.txt',
    ].map((name) => join(folder, name)) as [string, string, string];
    for (const path of [old, fresh, mine]) writeFileSync(path, 'x');
    for (const path of [old, mine]) utimesSync(path, 1, 1);
    expect(await pruneVerdicts(directory, { olderThanMs: hours(1) })).toBe(0);
    expect([old, fresh, mine].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  it('of a directory that is not there removes nothing; wrong options are refused', async () => {
    expect(await pruneVerdicts(newDirectory(), { olderThanMs: 0 })).toBe(0);
    for (const options of [
      {},
      { olderThanMs: -1 },
      { olderThanMs: 1, max: -1 },
      { olderThanMs: 1, keep: 1 },
    ]) {
      await expectCode(
        pruneVerdicts(newDirectory(), options as { olderThanMs: number }),
        'invalid_options',
      );
    }
  });
});
