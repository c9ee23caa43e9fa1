import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { encodeLine } from '@/adapters/stores/file/read-journal.js';
import { runJournal } from '@/adapters/stores/run-journal.js';
import { definePipeline } from '@/index.js';
import type { JournalRecord } from '@/ports/store.js';
import { describeCorpora } from '../../../support/corpora.js';
import { errorWith, expectCode, withCode } from '../../../support/matchers.js';
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

const journalOf = (directory: string, runId = 'a') =>
  join(directory, 'runs', runId, 'journal.jsonl');

describe('a file store in its directory', () => {
  it('is one journal for each run, with a .gitignore in a new directory', async () => {
    const directory = newDirectory();
    await record(fileStore(directory), 'a', [header('a')]);
    expect(filesIn(directory)).toEqual({
      '.gitignore': '*\n',
      'runs/a/journal.jsonl': expect.stringMatching(
        /^\{"c":"[0-9a-f]{16}","e":1,"n":0,"r":\{"type":"run",.*\}\}\n$/,
      ),
    });
  });

  it('leaves a directory that is in use alone', async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, 'mine.txt'), 'mine');
    await record(fileStore(directory), 'a', [header('a')]);
    expect(existsSync(join(directory, '.gitignore'))).toBe(false);
  });

  it('writes nothing before a run is opened', async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    expect([await store.list(), await store.read('a')]).toEqual([[], undefined]);
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    ...['.', '..', '...', 'a.', 'CON', 'nul.txt', 'a:b@c', '-', '@'],
    ...[':'.repeat(200), 'A'.repeat(200)],
  ])('takes %s as the id of a run', async (runId) => {
    const directory = newDirectory();
    const store = fileStore(directory);
    await record(store, runId, [header(runId), end('approved')]);
    expect(await store.list()).toEqual([{ runId, status: 'approved' }]);
    expect(await store.read(runId)).toHaveLength(2);
    const [folder = '', ...others] = readdirSync(join(directory, 'runs'));
    expect(others).toEqual([]);
    expect(folder).toMatch(/^(?!(con|nul)(\.|$))[\w%~@.-]{1,240}(?<!\.)$/i);
  });

  it.each(['', '../a', 'a/b', 'a\\b', 'a\0', 'a'.repeat(201), 'ä'])(
    'takes %j for no id: nothing outside is reached',
    async (runId) => {
      const store = fileStore(newDirectory());
      expect(await store.read(runId)).toBeUndefined();
      await expectCode((async () => store.open(runId, true))(), 'invalid_options');
    },
  );

  it('refuses the journal of another run, as where upper and lower case are one', async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    await record(store, 'a', [header('other')]);
    await expect(store.read('a')).rejects.toMatchObject({ code: 'run_conflict' });
  });

  it('checks its options', () => {
    for (const options of [
      { heartbeatMs: 0 },
      { patienceMs: 2000 },
      { blobBytes: 1 },
      { patience: 1 } as object,
    ])
      expect(() => fileStore('x', options)).toThrow(withCode('invalid_options'));
    expect(() => fileStore('')).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });
});

describe('group commit', () => {
  it('writes 20 appends at once as one batch in order, and what comes meanwhile as the next', async () => {
    const handles = await fileHandles();
    const directory = newDirectory();
    const journal = await fileStore(directory).open('a', true);
    const flush = vi.spyOn(handles, 'datasync');
    try {
      const records = [
        header('a'),
        ...Array.from({ length: 19 }, (_, index) => step(`step ${index}`, index)),
      ];
      const first = records.map((one) => journal.append(one));
      await first[0];
      expect(flush).toHaveBeenCalledTimes(1);
      await Promise.all([
        ...first,
        journal.append(step('later', 1)),
        journal.append(step('latest', 2)),
      ]);
      expect(flush).toHaveBeenCalledTimes(2);
      await journal.close();
      expect(await fileStore(directory).read('a')).toEqual([
        ...records,
        step('later', 1),
        step('latest', 2),
      ]);
    } finally {
      flush.mockRestore();
    }
  });

  it('closing waits for what was appended, and refuses what comes after', async () => {
    const store = fileStore(newDirectory());
    const journal = await store.open('a', true);
    const written = journal.append(header('a'));
    const closed = journal.close();
    await expectCode(journal.append(step('late', 1)), 'journal_write_failed');
    await Promise.all([written, closed, journal.close()]);
    expect(await store.read('a')).toEqual([header('a')]);
  });

  it('a record that could not be read back is refused alone', async () => {
    const store = fileStore(newDirectory());
    const journal = await store.open('a', true);
    await journal.append(header('a'));
    await expect(journal.append(step('bad', 1n))).rejects.toThrow('BigInt');
    await expectCode(
      journal.append({ ...step('nothing'), value: undefined } as JournalRecord),
      'journal_write_failed',
    );
    await expectCode(
      journal.append({ ...step('no time', 1), at: Number.NaN } as JournalRecord),
      'journal_write_failed',
    );
    await expectCode(
      journal.append({ ...step('large', 'x'.repeat(100_000)), name: undefined } as never),
      'journal_write_failed',
    );
    await journal.append(step('good', 1));
    await journal.close();
    expect(await store.read('a')).toEqual([header('a'), step('good', 1)]);
  });
});

describe('large values', () => {
  const big = { text: 'ü"\n\u2028😀'.repeat(20_000) };

  it('are kept once, by their content, and put back', async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    const records = [
      header('a'),
      step('one', big),
      step('two', big),
      step('three', { $blob: 'a'.repeat(64), bytes: 1 }),
      step('edge', 'x'.repeat(65_534)),
      step('over', 'x'.repeat(65_535)),
    ];
    await record(store, 'a', records);
    expect(await store.read('a')).toEqual(records);
    expect(readdirSync(join(directory, 'runs/a/blobs'))).toHaveLength(2);
    const lines = readFileSync(journalOf(directory), 'utf8').split('\n');
    expect(lines[1]).toMatch(/"b":\["value"\].*"value":\{"\$blob":"[0-9a-f]{64}","bytes":\d+\}/);
    expect(lines[1]?.length).toBeLessThan(400);
    expect(lines[4]).not.toContain('"b":');
  });

  it.each(['truncated', 'changed', 'missing'])(
    'one that is %s is a typed error that names journal, line and file',
    async (damage) => {
      const directory = newDirectory();
      const store = fileStore(directory);
      await record(store, 'a', [header('a'), step('one', big)]);
      const [name = ''] = readdirSync(join(directory, 'runs/a/blobs'));
      const blob = join(directory, 'runs/a/blobs', name);
      if (damage === 'truncated') truncateSync(blob, 100);
      else if (damage === 'changed')
        writeFileSync(blob, readFileSync(blob, 'utf8').replace('ü', 'ä'));
      else rmSync(blob);
      const before = filesIn(directory);
      for (const reading of [() => store.read('a'), async () => store.open('a', true)]) {
        await expect(reading()).rejects.toMatchObject(
          errorWith('journal_corrupt', new RegExp(`journal\\.jsonl, line 2: .*${name}`)),
        );
      }
      expect(filesIn(directory)).toEqual(before);
    },
  );
});

describe('a journal that is damaged or newer', () => {
  const written = [header('a'), step('one', 1), step('two', 2), end('approved')];
  const lines = async (directory: string): Promise<string[]> => {
    await record(fileStore(directory), 'a', written);
    return readFileSync(journalOf(directory), 'utf8').split('\n').slice(0, -1);
  };
  const refused = async (directory: string, code: string, line: number): Promise<void> => {
    const before = filesIn(directory);
    const store = fileStore(directory);
    const expected = errorWith(code, `${journalOf(directory)}, line ${line}: `);
    await expect(store.read('a')).rejects.toMatchObject(expected);
    await expect((async () => store.open('a', true))()).rejects.toMatchObject(expected);
    expect(filesIn(directory)).toEqual(before);
    await expect((async () => store.open('a', true))()).rejects.toMatchObject(expected);
  };
  const corrupt = 'journal_corrupt';
  const lineOf = (record: object, index = 4) =>
    encodeLine({ e: 1, n: index }, JSON.stringify(record)).toString('utf8').trimEnd();

  it.each<[string, (all: string[]) => string[], string, number]>([
    [
      'a flipped byte',
      ([a, b = '', ...rest]) => [a!, b.replace('one', 'ond'), ...rest],
      corrupt,
      2,
    ],
    ['a line that is gone', ([a, , ...rest]) => [a!, ...rest], corrupt, 2],
    ['a line that is there twice', ([a, b, ...rest]) => [a!, b!, b!, ...rest], corrupt, 3],
    ['two lines in another order', ([a, b, c, d]) => [a!, c!, b!, d!], corrupt, 2],
    ['an empty line', (all) => [...all, ''], corrupt, 5],
    ['a line of another program', (all) => [...all, '{"type":"end"}'], corrupt, 5],
    ['a record of another shape', (all) => [...all, lineOf({ type: 'step', name: 1 })], corrupt, 5],
    ['a newer schema', () => [lineOf({ ...header('a'), schema: 2 }, 0)], 'journal_newer', 1],
    ['a type to come', (all) => [...all, lineOf({ type: 'verdict', at: 1 })], 'journal_newer', 5],
    ['a format to come', (all) => [...all, '{"c":"abc","v":2,"x":{}}'], 'journal_newer', 5],
  ])('%s is a typed error, and nothing is changed', async (_, change, code, line) => {
    const directory = newDirectory();
    const changed = change(await lines(directory));
    writeFileSync(journalOf(directory), changed.map((text) => `${text}\n`).join(''));
    await refused(directory, code, line);
  });

  it('a changed end of the last line is no torn line', async () => {
    const directory = newDirectory();
    const all = await lines(directory);
    writeFileSync(journalOf(directory), `${all.join('\n')}K`);
    await refused(directory, 'journal_corrupt', 4);
  });

  it('an unterminated last line is dropped, after it was kept beside', async () => {
    const directory = newDirectory();
    const all = await lines(directory);
    const torn = all[3]!.slice(0, 30);
    writeFileSync(journalOf(directory), `${all.slice(0, 3).join('\n')}\n${torn}`);
    const { warnings, logger } = warningLogger();
    const store = fileStore(directory, { logger });
    expect(await store.read('a')).toHaveLength(3);
    expect(await store.list()).toEqual([{ runId: 'a', status: 'running' }]);
    expect(filesIn(directory)[`runs/a/journal.jsonl`]).toContain(torn);
    await record(store, 'a', [end('rejected')]);
    expect(await store.read('a')).toEqual([...written.slice(0, 3), end('rejected')]);
    const kept = Object.entries(filesIn(directory)).filter(([name]) =>
      /journal\.tail-\d+$/.test(name),
    );
    expect(kept.map(([, content]) => content)).toEqual([torn]);
    expect(warnings).toEqual([expect.objectContaining({ run: 'a', bytes: 30 })]);
  });
});

describe('places that cannot be written to', () => {
  it.each(['/dev/full', '/dev/null/x', '/proc/nothing'])(
    '%s as the directory is output_unwritable',
    async (directory) => {
      await expect((async () => fileStore(directory).open('a', true))()).rejects.toMatchObject({
        code: 'output_unwritable',
        cause: expect.any(Error),
      });
    },
  );

  it('a file where the folder of runs should be', async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, 'runs'), '');
    const store = fileStore(directory);
    await expectCode((async () => store.open('a', true))(), 'output_unwritable');
    await expect(store.list()).rejects.toMatchObject({ code: 'file_unreadable' });
    await expect(store.read('a')).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  it.each(['/dev/full', '/dev/zero'])(
    '%s as the journal is refused, not read forever',
    async (device) => {
      const directory = newDirectory();
      mkdirSync(join(directory, 'runs/a'), { recursive: true });
      symlinkSync(device, journalOf(directory));
      const store = fileStore(directory);
      await expect(store.read('a')).rejects.toMatchObject({ code: 'file_unreadable' });
      await expectCode((async () => store.open('a', true))(), 'file_unreadable');
      expect(await store.list()).toEqual([{ runId: 'a', status: 'corrupt' }]);
    },
  );

  it('a journal whose disk is full fails with the cause, writes nothing more, and keeps what was durable', async () => {
    const directory = newDirectory();
    const store = fileStore(directory);
    const journal = await store.open('a', true);
    await journal.append(header('a'));
    const handles = await fileHandles();
    const full = vi
      .spyOn(handles, 'write')
      .mockRejectedValue(
        Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }),
      );
    const first = journal.append(step('one', 1));
    await expect(first).rejects.toMatchObject({
      code: 'journal_write_failed',
      cause: { code: 'ENOSPC' },
    });
    full.mockRestore();
    await expectCode(journal.append(step('two', 2)), 'journal_write_failed');
    await journal.close();
    expect(await store.read('a')).toEqual([header('a')]);
  });
});

describeCorpora('JSON files of all kinds as a journal', (corpora) => {
  const folder = join(corpora, 'json-parsing', 'test_parsing');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const line = encodeLine({ e: 1, n: 0 }, JSON.stringify(header('a')));

  /** How opening fails; `opened` when it does not. */
  async function opening(content: Buffer): Promise<string> {
    const directory = newDirectory();
    mkdirSync(join(directory, 'runs/a'), { recursive: true });
    writeFileSync(join(directory, 'runs/a/journal.jsonl'), content);
    const store = fileStore(directory);
    const before = filesIn(directory);
    const code = await (async () => (await store.open('a', true)).close())().then(
      () => 'opened',
      (error: { code: string }) => error.code,
    );
    if (code !== 'opened') expect(filesIn(directory)).toEqual(before);
    return code;
  }

  it.each(names)('%s is refused with a typed error, and left as it is', async (name) => {
    const content = readFileSync(join(folder, name));
    // nothing, and the first byte of every line, are what a crash can leave
    const torn = content.length === 0 || content.toString('latin1') === '{';
    const terminated = Buffer.concat([content, Buffer.from('\n')]);
    expect([await opening(content), await opening(Buffer.concat([line, content]))]).toEqual(
      torn ? ['opened', 'opened'] : ['journal_corrupt', 'journal_corrupt'],
    );
    expect([
      await opening(terminated),
      await opening(Buffer.concat([line, terminated, line])),
    ]).toEqual(['journal_corrupt', 'journal_corrupt']);
  });

  it('are many', () => expect(names.length).toBeGreaterThan(300));
});

it('a run that another process has taken over ends at the next heartbeat, and the call that is out is told', async () => {
  const directory = emptyDirectory();
  const store = fileStore(directory, { heartbeatMs: 20, patienceMs: 400 });
  let told: unknown;
  const pipeline = definePipeline<string, string>({
    store,
    produce: (task, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          told = signal.reason;
          resolve(task);
        });
        writeFileSync(
          join(directory, 'runs/r/lock.2'),
          JSON.stringify({ pid: 1, host: 'another', epoch: 2, at: 0 }),
        );
      }),
    criteria: { fine: () => true },
  });
  const outcome = await pipeline.run('task', { runId: 'r' });
  expect(outcome).toMatchObject({ status: 'failed', code: 'journal_fenced' });
  expect(told).toMatchObject({ code: 'journal_fenced' });
  expect(await store.read('r')).toMatchObject([{ type: 'run' }]);
});

it('a journal is released only after what is on its way was written', async () => {
  const done: string[] = [];
  const put = () =>
    new Promise<void>((resolve) => setImmediate(() => resolve(void done.push('written'))));
  const release = async () => void done.push('released');
  const journal = runJournal({ place: 'a', bodyOf: () => '', put, release, onLost: () => {} }, []);
  void journal.append({ type: 'end', status: 'approved' } as never);
  await journal.close();
  expect(done).toEqual(['written', 'released']);
});
