import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitForLock } from '@/node/lock.js';
import { type LockedFile, lockedFile } from '@/node/locked-file.js';
import { systemClock } from '@/ports/clock.js';
import { tempFolder } from '../../support/temp-folder.js';

const newFolder = () => tempFolder('reviewloop-locked');

function counter(folder: string, { waitMs = 5000, maxBytes = 100 } = {}): LockedFile<number> {
  return lockedFile(join(folder, 'count'), {
    parse: (text) => {
      if (!/^\d+\n$/.test(text)) throw new Error(`not a number: ${text.trim()}`);
      return Number(text);
    },
    format: (value) => `${value}\n`,
    malformed: (why) => new Error(why),
    lock: join(folder, '.count.lock'),
    waitMs,
    maxBytes,
  });
}

describe('a locked file', () => {
  it('loses no change of writers that start at the same time', async () => {
    const folder = newFolder();
    const writers = Array.from({ length: 8 }, () =>
      counter(folder).update((value = 0) => value + 1),
    );
    expect((await Promise.all(writers)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await counter(folder).read()).toBe(8);
  });

  it('is undefined where there is no file, and a change that fails creates none', async () => {
    const folder = newFolder();
    const file = counter(folder);
    expect(await file.read()).toBeUndefined();
    const failure = new Error('refused');
    await expect(file.update(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(await readdir(folder)).toEqual(['.count.lock']);
    expect(await file.update(() => 1)).toBe(1);
  });

  it('writes nothing when the change returns what it was given', async () => {
    const folder = newFolder();
    await writeFile(join(folder, 'count'), '07\n');
    expect(await counter(folder).update((value = 0) => value)).toBe(7);
    expect(await readFile(join(folder, 'count'), 'utf8')).toBe('07\n');
  });

  it.each([
    ['cannot be parsed', 'many\n', 'not a number: many'],
    ['is not text', Buffer.from([0, 1]), 'it is not UTF-8 text'],
    ['is too large', '1'.repeat(200), /count has 200 bytes/],
  ])('never replaces a file that %s', async (_, content, message) => {
    const folder = newFolder();
    await writeFile(join(folder, 'count'), content);
    await expect(counter(folder).update(() => 1)).rejects.toThrow(message);
    await expect(counter(folder).read()).rejects.toThrow(message);
    expect(await readFile(join(folder, 'count'))).toEqual(Buffer.from(content));
  });

  it('writes nothing that could not be read back', async () => {
    const folder = newFolder();
    await counter(folder).update(() => 3);
    await expect(counter(folder).update(() => -1)).rejects.toThrow('not a number: -1');
    await expect(counter(folder, { maxBytes: 2 }).update(() => 1000)).rejects.toThrow(
      /it would be larger than 2 bytes/,
    );
    expect(await counter(folder).read()).toBe(3);
  });

  it('says how long it waited for a lock that stays taken, and may be tried again', async () => {
    const folder = newFolder();
    const lock = join(folder, '.count.lock');
    await mkdir(lock);
    const held = await waitForLock(lock, { clock: systemClock, waitMs: 0 });
    await expect(counter(folder, { waitMs: 5 }).update(() => 1)).rejects.toMatchObject({
      code: 'output_unwritable',
      retryable: true,
      message: expect.stringContaining('held its lock for 5 ms (waitMs)'),
    });
    await held?.release();
    expect(await counter(folder, { waitMs: 5 }).update(() => 1)).toBe(1);
  });

  it('writes nothing after another process took over its lock', async () => {
    const folder = newFolder();
    const late = counter(folder).update(async () => {
      await writeFile(join(folder, '.count.lock/lock.99'), '{}');
      return 1;
    });
    await expect(late).rejects.toThrow(/another process took over its lock/);
    expect(await counter(folder).read()).toBeUndefined();
  });
});
