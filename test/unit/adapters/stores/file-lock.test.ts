import {
  existsSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fileStore, pruneRuns } from '@/adapters/stores/file/index.js';
import { encodeLine } from '@/adapters/stores/file/read-journal.js';
import { type HeldLock, takeLock } from '@/node/lock.js';
import { processPlace } from '@/node/process-identity.js';
import { fakeClock } from '@/testing/index.js';
import { expectCode } from '../../../support/matchers.js';
import {
  emptyDirectory,
  end,
  fileHandles,
  filesIn,
  header,
  newDirectory,
  record,
  step,
  warningLogger,
} from './file-support.js';

const gone = 2 ** 22 + 1;
const start = 1_700_000_000_000;

describe('the lock of a folder', () => {
  const setUp = () => {
    const folder = emptyDirectory();
    const clock = fakeClock(start);
    const options = { clock, heartbeatMs: 1_000_000, patienceMs: 10_000 };
    const other = (holder: object | string, agoMs: number) => {
      const path = join(folder, 'lock.1');
      writeFileSync(
        path,
        typeof holder === 'string'
          ? holder
          : JSON.stringify({ pid: process.ppid, host: processPlace(), epoch: 1, at: 1, ...holder }),
      );
      beats(agoMs);
    };
    const beats = (agoMs: number) => {
      const then = (clock.now() - agoMs) / 1000;
      utimesSync(join(folder, 'lock.1'), then, then);
    };
    const take = () => takeLock(folder, options);
    /** Lets the wait for another machine begin, which reads files first. */
    const watching = async () => vi.waitFor(() => expect(clock.pending).toBe(1));
    return { folder, clock, other, beats, take, watching };
  };
  const released = async (lock: HeldLock | undefined): Promise<number | undefined> => {
    await lock?.release();
    return lock?.epoch;
  };

  it('is free at first, held once, and goes on with a higher epoch', async () => {
    const { folder, take } = setUp();
    const first = await take();
    expect(first?.epoch).toBe(1);
    expect(await take()).toBeUndefined();
    expect(await first?.isHeld()).toBe(true);
    await first?.release();
    await first?.release();
    expect(await first?.isHeld()).toBe(false);
    expect(await released(await take())).toBe(2);
    expect(readdirSync(folder)).toEqual(['lock.2']);
  });

  it('is not taken from this process by itself, however late its heartbeat is', async () => {
    const { clock, take } = setUp();
    const lock = await take();
    clock.advance(60_000);
    expect(await take()).toBeUndefined();
    await lock?.release();
    expect(await released(await take())).toBe(2);
  });

  it('is taken over at once from a process that is gone', async () => {
    const { other, take } = setUp();
    other({ pid: gone }, 0);
    expect(await released(await take())).toBe(2);
  });

  it('stays with a process that lives, until it is silent for longer than the patience', async () => {
    const { other, beats, take } = setUp();
    other({}, 10_000);
    expect(await take()).toBeUndefined();
    beats(10_001);
    expect(await released(await take())).toBe(2);
  });

  it.each<[string, object | string, number]>([
    ['another machine that was silent', { host: 'elsewhere', pid: gone }, 60_000],
    ['a holder of the future, as after the clock was set back', {}, -3_600_000],
    ['a file that its maker never filled', '', 60_000],
    ['a file that is no lock', '[]', 60_000],
  ])('is taken from %s only when nothing moved while it was watched', async (_, holder, agoMs) => {
    const { clock, other, beats, take, watching } = setUp();
    other(holder, agoMs);
    const refused = take();
    await watching();
    beats(0);
    clock.advance(10_000);
    expect(await refused).toBeUndefined();
    beats(agoMs);
    const taken = take();
    await watching();
    clock.advance(10_000);
    expect(await released(await taken)).toBe(2);
  });

  it.each<[string, object | string]>([
    ['another machine', { host: 'elsewhere', pid: gone }],
    ['one that is just being made', ''],
  ])('is not taken from %s within the patience', async (_, holder) => {
    const { other, take } = setUp();
    other(holder, 5000);
    expect(await take()).toBeUndefined();
  });

  it('is lost once there is a later holder, or the folder is gone, and again another one', async () => {
    const { folder, take } = setUp();
    const lock = await take();
    writeFileSync(join(folder, 'lock.2'), '{}');
    expect(await lock?.isHeld()).toBe(false);
    rmSync(folder, { recursive: true });
    expect(await lock?.isHeld()).toBe(false);
    mkdirSync(folder);
    writeFileSync(join(folder, 'lock.1'), '{}');
    expect(await lock?.isHeld()).toBe(false);
    await lock?.release();
    expect(readFileSync(join(folder, 'lock.1'), 'utf8')).toBe('{}');
  });

  it('is not won by one who looked before another came and went', async () => {
    const { folder, take } = setUp();
    const handles = await fileHandles();
    // the file of epoch 1 is made although 2 was there before and 1 had been removed
    const spy = vi
      .spyOn(handles, 'utimes')
      .mockImplementation(async () => writeFileSync(join(folder, 'lock.2'), '{}'));
    const lock = await take();
    spy.mockRestore();
    expect(lock).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(['lock.1', 'lock.2']);
  });
});

describe('the making of a lock file', () => {
  const options = { clock: fakeClock(start), heartbeatMs: 1_000_000, patienceMs: 10_000 };
  const takenWith = async (answer: typeof promises.link, folder = emptyDirectory()) => {
    const { link } = promises;
    promises.link = answer;
    syncBuiltinESMExports();
    try {
      return { folder, lock: await takeLock(folder, options) };
    } finally {
      promises.link = link;
      syncBuiltinESMExports();
    }
  };
  const failing = (code: string) => async () =>
    Promise.reject(Object.assign(new Error(code), { code }));

  it('gives it its name when it is whole', async () => {
    const { link } = promises;
    const seen: unknown[] = [];
    const { folder, lock } = await takenWith(async (from, to) => {
      seen.push(JSON.parse(readFileSync(from, 'utf8')), existsSync(to));
      await link(from, to);
    });
    expect(seen).toEqual([{ pid: process.pid, host: processPlace(), epoch: 1, at: start }, false]);
    expect(readdirSync(folder)).toEqual(['lock.1']);
    await lock?.release();
  });

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
    'makes it in its place where a file system has no links and says %s',
    async (code) => {
      const { folder, lock } = await takenWith(failing(code));
      expect(JSON.parse(readFileSync(join(folder, 'lock.1'), 'utf8'))).toMatchObject({
        pid: process.pid,
        epoch: 1,
      });
      expect(readdirSync(folder)).toEqual(['lock.1']);
      expect(await lock?.isHeld()).toBe(true);
      await lock?.release();
      const faster = await takenWith(async (_, to) => {
        writeFileSync(to, '{}');
        await failing(code)();
      });
      expect([faster.lock, readdirSync(faster.folder)]).toEqual([undefined, ['lock.1']]);
    },
  );

  it.each(['EEXIST', 'ENOENT'])(
    'leaves it to another that was faster, and leaves nothing else (%s)',
    async (code) => {
      const { folder, lock } = await takenWith(failing(code));
      expect([lock, readdirSync(folder)]).toEqual([undefined, []]);
    },
  );

  it('leaves nothing where it cannot be made', async () => {
    const folder = emptyDirectory();
    await expect(takenWith(failing('EIO'), folder)).rejects.toMatchObject({ code: 'EIO' });
    const handles = await fileHandles();
    const spy = vi.spyOn(handles, 'write').mockRejectedValue(new Error('disk full'));
    await expect(takeLock(folder, options)).rejects.toThrow('disk full');
    spy.mockRestore();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('sweeps what was left half made, and nothing that may still be made or is not its own', async () => {
    const folder = emptyDirectory();
    const digits = '0123456789abcdef';
    const names = {
      dead: `lock.1.${gone}-${digits}`,
      old: `lock.4.${process.ppid}-${digits}`,
      alive: `lock.5.${process.ppid}-${digits}`,
      foreign: `lock.1.${gone}-x`,
    };
    for (const name of Object.values(names)) writeFileSync(join(folder, name), '');
    for (const name of Object.values(names))
      utimesSync(join(folder, name), start / 1000, start / 1000);
    utimesSync(join(folder, names.old), start / 1000 - 11, start / 1000 - 11);
    const lock = await takeLock(folder, options);
    expect(readdirSync(folder).sort()).toEqual(['lock.1', names.foreign, names.alive].sort());
    await lock?.release();
  });
});

describe('a writer that was taken over', () => {
  it('writes nothing more, and says so', async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    const journal = await store.open('a', true);
    await journal.append(header('a'));
    writeFileSync(
      join(directory, 'runs/a/lock.2'),
      JSON.stringify({ pid: gone, host: processPlace(), epoch: 2, at: 1 }),
    );
    const before = filesIn(directory);
    await expect(journal.append(step('late', 1))).rejects.toMatchObject({ code: 'journal_fenced' });
    await expectCode(journal.append(step('later', 'x'.repeat(100_000))), 'journal_fenced');
    expect(filesIn(directory)).toEqual(before);
    await journal.close();
    await record(store, 'a', [step('of the next', 1)]);
    expect(readdirSync(join(directory, 'runs/a'))).toEqual(['journal.jsonl', 'lock.3']);
  });

  it('between its look and its write: the record is refused', async () => {
    const directory = newDirectory();
    const journal = await fileStore(directory).open('a', true);
    await journal.append(header('a'));
    const handles = await fileHandles();
    const spy = vi
      .spyOn(handles, 'datasync')
      .mockImplementation(async () => writeFileSync(join(directory, 'runs/a/lock.2'), '{}'));
    await expect(journal.append(step('late', 1))).rejects.toMatchObject({ code: 'journal_fenced' });
    spy.mockRestore();
    await journal.close();
  });

  it('left lines, which are no records wherever they stand, are reported, and hide no status', async () => {
    const directory = newDirectory();
    const line = (epoch: number, index: number, content: object) =>
      encodeLine({ e: epoch, n: index }, JSON.stringify(content));
    mkdirSync(join(directory, 'runs/a'), { recursive: true });
    const lines = [
      line(1, 0, header('a')),
      line(1, 1, step('one', 1)),
      line(1, 2, step('unseen', 1)),
      line(3, 2, step('two', 2)),
      line(1, 3, end('failed')),
      line(3, 3, end('approved')),
      line(2, 4, step('late', 1)),
    ];
    writeFileSync(join(directory, 'runs/a/journal.jsonl'), Buffer.concat(lines));
    writeFileSync(
      join(directory, 'runs/a/lock.3'),
      '{"released":1,"pid":1,"host":"x","epoch":3,"at":1}',
    );
    const { warnings, logger } = warningLogger();
    const store = fileStore(directory, { logger });
    expect(await store.list()).toEqual([{ runId: 'a', status: 'approved' }]);
    const journal = await store.open('a', true);
    expect(journal.records).toEqual([header('a'), step('one', 1), step('two', 2), end('approved')]);
    await journal.append(step('three', 3));
    await journal.close();
    expect(await store.read('a')).toEqual([
      header('a'),
      step('one', 1),
      step('two', 2),
      end('approved'),
      step('three', 3),
    ]);
    expect(warnings).toEqual([expect.objectContaining({ run: 'a', lines: 3 })]);
  });
});

describe('list', () => {
  it('tolerates what is damaged, and leaves out what is no run', async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    for (const runId of ['a', 'b', 'c', 'd', 'e'])
      await record(store, runId, [header(runId), end('approved')]);
    const runs = join(directory, 'runs');
    writeFileSync(join(runs, 'b/journal.jsonl'), '{}\n');
    writeFileSync(join(runs, 'c/journal.jsonl'), '{"v":2}\n');
    writeFileSync(join(runs, 'd/journal.jsonl'), '');
    rmSync(join(runs, 'e/journal.jsonl'));
    mkdirSync(join(runs, 'e/journal.jsonl'));
    mkdirSync(join(runs, 'reviewed'));
    mkdirSync(join(runs, 'no id'));
    writeFileSync(join(runs, 'reviewed/review.json'), '{}');
    writeFileSync(join(runs, 'file'), '');
    expect(await store.list()).toEqual([
      { runId: 'a', status: 'approved' },
      { runId: 'b', status: 'corrupt' },
      { runId: 'c', status: 'newer' },
      { runId: 'e', status: 'corrupt' },
    ]);
    expect(await store.list({ status: 'corrupt' })).toHaveLength(2);
  });

  it('reads only the end of a journal', async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    await record(store, 'a', [
      header('a'),
      step('one', 'x'.repeat(30_000)),
      step('two', 'y'.repeat(50_000)),
    ]);
    expect(await store.list()).toEqual([{ runId: 'a', status: 'running' }]);
    const path = join(directory, 'runs/a/journal.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"pipeline"', '"changed!"'));
    expect(await store.list()).toEqual([{ runId: 'a', status: 'running' }]);
  });

  it('works for thousands of runs', async () => {
    const directory = newDirectory();
    for (let index = 0; index < 3000; index += 1) {
      mkdirSync(join(directory, `runs/run-${index}`), { recursive: true });
      const content = JSON.stringify(end(index % 2 === 0 ? 'approved' : 'suspended'));
      writeFileSync(
        join(directory, `runs/run-${index}/journal.jsonl`),
        encodeLine({ e: 1, n: 0 }, content),
      );
    }
    expect(await fileStore(directory).list({ status: 'suspended' })).toHaveLength(1500);
  });
});

describe('pruneRuns', () => {
  const day = 86_400_000;
  const setUp = async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    const now = Date.now();
    const statuses = {
      old: 'approved',
      older: 'rejected',
      fresh: 'approved',
      waiting: 'suspended',
      busy: 'approved',
    };
    for (const [runId, status] of Object.entries(statuses))
      await record(store, runId, [header(runId), step('big', 'x'.repeat(100_000)), end(status)]);
    await record(store, 'unfinished', [header('unfinished')]);
    const aged = (runId: string, days: number) => {
      const then = (now - days * day) / 1000;
      utimesSync(join(directory, 'runs', runId, 'journal.jsonl'), then, then);
    };
    for (const runId of ['old', 'waiting', 'busy', 'unfinished']) aged(runId, 40);
    aged('older', 50);
    return { directory, store };
  };
  const left = (directory: string) => readdirSync(join(directory, 'runs')).sort();

  it('removes what ended long ago, and nothing that is open, unfinished or waiting', async () => {
    const { directory, store } = await setUp();
    const open = await store.open('busy', true);
    expect([...(await pruneRuns(directory, { olderThanMs: 30 * day }))].sort()).toEqual([
      'old',
      'older',
    ]);
    expect(left(directory)).toEqual(['busy', 'fresh', 'unfinished', 'waiting']);
    await open.close();
    expect(await pruneRuns(directory, { olderThanMs: 30 * day })).toEqual(['busy']);
    await record(store, 'old', [header('old')]);
    expect(await store.read('old')).toEqual([header('old')]);
  });

  it('keeps the newest that were asked for, and files of others', async () => {
    const { directory } = await setUp();
    writeFileSync(join(directory, 'runs/older/review.json'), '{}');
    expect(await pruneRuns(directory, { olderThanMs: 30 * day, keep: 3 })).toEqual(['older']);
    expect(readdirSync(join(directory, 'runs/older'))).toEqual(['review.json']);
    expect(await pruneRuns(directory, { olderThanMs: 0, keep: 100 })).toEqual([]);
  });

  it('checks its options, and finds nothing where nothing is', async () => {
    expect(await pruneRuns(newDirectory(), { olderThanMs: 0 })).toEqual([]);
    for (const options of [
      { olderThanMs: -1 },
      { olderThanMs: 1, keep: -1 },
      { olderThanMs: Number.NaN },
    ])
      await expect(pruneRuns('x', options)).rejects.toMatchObject({ code: 'invalid_options' });
  });
});
