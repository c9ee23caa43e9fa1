import {
  appendFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileAttempts } from '@/adapters/stores/file/file-attempts.js';
import { fileLessons } from '@/adapters/stores/file/file-lessons.js';
import {
  fileAnswers,
  fileAudit,
  fileCassette,
  fileStore,
  fileVerdicts,
  verifyAudit,
} from '@/adapters/stores/file/index.js';
import { folderNameOf, pathsOf, runIdOf } from '@/adapters/stores/file/run-paths.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { folderWorkspace } from '@/adapters/stores/workspace/folder-workspace.js';
import { runLog } from '@/faces/commands/reviewer-stage/build-stage.js';
import { filePerson } from '@/faces/people/file-person.js';
import { saveRun, writeJson } from '@/faces/reports/run-folder.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import { folderFiles } from '@/node/store-file.js';
import { type AuditEntry, type AuditRecord, auditLine, nextRecord } from '@/ports/audit-chain.js';
import type { Store } from '@/ports/store.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { taskAttempt } from '../../../support/task-attempt.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { improvedRun } from '../../blocks/lessons/lesson-support.js';

async function folder(...runs: string[]): Promise<string> {
  const made = tempFolder('reviewloop-audit');
  for (const run of runs) await mkdir((await pathsOf(made, run)).folder, { recursive: true });
  return made;
}

const entry = (reason: string, runId = 'run-1'): AuditEntry => ({
  kind: 'override',
  who: 'Ada',
  runId,
  version: 'f'.repeat(64),
  verdict: 'rejected',
  decision: 'override',
  reason,
});
const untouched = { intact: true, records: 0, head: undefined, torn: false, problems: [] };
const log = (directory: string): string => join(directory, 'audit.jsonl');
const recordsOf = async (directory: string): Promise<AuditRecord[]> =>
  (await readFile(log(directory), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRecord);

describe('fileAudit', () => {
  it('appends records that carry who, what, why, the verdict of the machine, and the hash of the one before', async () => {
    const directory = await folder('run-1');
    const sink = fileAudit(directory);
    const first = await sink.record(entry('checked by hand'));
    const second = await sink.record({ kind: 'note', who: 'Bo', details: { step: 'deploy' } });
    const [one, two] = await recordsOf(directory);
    expect(one).toMatchObject({
      schema: 1,
      seq: 1,
      previous: '0'.repeat(64),
      kind: 'override',
      who: 'Ada',
      runId: 'run-1',
      verdict: 'rejected',
      decision: 'override',
      reason: 'checked by hand',
      hash: first.hash,
    });
    expect(two).toMatchObject({
      seq: 2,
      previous: first.hash,
      hash: second.hash,
      details: { step: 'deploy' },
    });
    expect(Date.parse(one?.at ?? '')).toBeGreaterThan(0);
    const mark = join((await pathsOf(directory, 'run-1')).folder, 'audit.json');
    expect(JSON.parse(await readFile(mark, 'utf8'))).toEqual(first);
    expect(await verifyAudit(directory)).toEqual({ ...untouched, records: 2, head: second });
  });

  it('keeps no secrets', async () => {
    const directory = await folder();
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    await fileAudit(directory).record({
      ...entry(`the token is ${secret}`),
      details: { more: `x ${secret}` },
    });
    const text = await readFile(log(directory), 'utf8');
    expect(text).not.toContain(secret);
    expect(text).toContain('[REDACTED:github]');
  });

  it('drops a last line that was never finished, and says so until then', async () => {
    const directory = await folder();
    const sink = fileAudit(directory);
    await sink.record(entry('one'));
    await appendFile(log(directory), '{"at":"2026');
    expect(await verifyAudit(directory)).toMatchObject({ intact: true, torn: true, records: 1 });
    await sink.record(entry('two'));
    expect(await verifyAudit(directory)).toMatchObject({ intact: true, torn: false, records: 2 });
  });

  it('goes on after records that are longer than what is read at once', async () => {
    const directory = await folder();
    const sink = fileAudit(directory);
    await sink.record(entry('x'.repeat(300_000)));
    await appendFile(log(directory), 'y'.repeat(200_000));
    await sink.record(entry('z'));
    expect(await verifyAudit(directory)).toMatchObject({ intact: true, records: 2 });
  });

  it('does not write after a record that was changed, nor into what is no file', async () => {
    const directory = await folder();
    const sink = fileAudit(directory);
    await sink.record(entry('one'));
    await writeFile(log(directory), (await readFile(log(directory), 'utf8')).replace('one', 'two'));
    await expect(sink.record(entry('three'))).rejects.toMatchObject({ code: 'audit_corrupt' });
    const other = await folder();
    await mkdir(log(other));
    await expectCode(fileAudit(other).record(entry('x')), 'audit_unwritable');
    await expectCode(fileAudit(other).record({ kind: 'a b', who: 'x' }), 'invalid_options');
    expect(() => fileAudit('')).toThrow(/directory/);
    expect(() => fileAudit('x', { nope: 1 } as never)).toThrow(/nope/);
  });

  it('takes many at once from several sinks of one process', async () => {
    const directory = await folder();
    const sinks = [fileAudit(directory), fileAudit(directory), fileAudit(directory)];
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => sinks[index % 3]?.record(entry(`${index}`))),
    );
    expect(await verifyAudit(directory)).toMatchObject({ intact: true, records: 30 });
    expect(new Set((await recordsOf(directory)).map(({ reason }) => reason)).size).toBe(30);
  });
});

describe('verifyAudit', () => {
  it('finds records that are changed, dropped, added or moved, and a log that was cut short [FR-064, AC-040]', async () => {
    const directory = await folder('run-1');
    const sink = fileAudit(directory);
    for (const reason of ['one', 'two', 'three', 'four']) await sink.record(entry(reason));
    const head = (await verifyAudit(directory)).head;
    const lines = (await readFile(log(directory), 'utf8')).trimEnd().split('\n');
    const problemsOf = async (changed: readonly (string | undefined)[]): Promise<string[]> => {
      await writeFile(log(directory), changed.map((line) => `${line}\n`).join(''));
      const { intact, problems } = await verifyAudit(directory);
      expect(intact).toBe(problems.length === 0);
      return problems.map(({ problem }) => problem);
    };
    const [a, b, c, d] = lines;
    expect(await problemsOf(lines)).toEqual([]);
    expect(await problemsOf([a, b?.replace('two', 'six'), c, d])).toEqual(['changed']);
    expect(await problemsOf([a, b?.replace('"kind"', ' "kind"'), c, d])).toEqual(['changed']);
    expect(await problemsOf([a, c, d])).toEqual(['out_of_order']);
    expect(await problemsOf([a, c, b, d])).toContain('out_of_order');
    expect(await problemsOf([a, b, b, c, d])).toContain('out_of_order');
    const forged = nextRecord(entry('forged'), {
      last: { seq: 1, hash: (JSON.parse(a ?? '') as AuditRecord).hash },
      at: 'now',
    });
    expect(await problemsOf([a, auditLine(forged), c, d])).toEqual(['unlinked']);
    expect(await problemsOf([a, 'nonsense', b, c, d])).toEqual(['unreadable']);
    expect(await problemsOf([a, b, c])).toEqual(['missing']);
    expect(await problemsOf([])).toEqual(['missing']);
    await rm(log(directory));
    expect(await verifyAudit(directory)).toMatchObject({
      intact: false,
      records: 0,
      problems: [{ problem: 'missing', what: expect.stringContaining('run run-1') }],
    });
    await writeFile(log(directory), lines.map((line) => `${line}\n`).join(''));
    await writeFile(join((await pathsOf(directory, 'run-1')).folder, 'audit.json'), '{}');
    expect((await verifyAudit(directory)).problems).toMatchObject([{ problem: 'unreadable' }]);
    expect(head?.seq).toBe(4);
  });

  it('checks what is expected', async () => {
    const directory = await folder();
    const sink = fileAudit(directory);
    const first = await sink.record(entry('one'));
    const second = await sink.record(entry('two'));
    const verified = (...marks: { seq: number; hash: string }[]) =>
      verifyAudit(directory, { expect: marks });
    expect(await verified(first, second)).toMatchObject({ intact: true });
    expect(await verified({ seq: 2, hash: first.hash })).toMatchObject({
      intact: false,
      problems: [{ problem: 'missing' }],
    });
    expect(await verified({ seq: 3, hash: first.hash })).toMatchObject({ intact: false });
    await expect(verified({ seq: 0, hash: '' })).rejects.toMatchObject({ code: 'invalid_options' });
    expect(await verifyAudit(await folder())).toEqual(untouched);
  });

  it('does not take a mark that cannot be read for one that is not there, nor other files for runs', async () => {
    const directory = await folder('run-1', 'run-2');
    await fileAudit(directory).record(entry('fine'));
    const runs = join((await pathsOf(directory, 'run-1')).folder, '..');
    await writeFile(join(runs, 'note.txt'), 'no run');
    expect(await verifyAudit(directory)).toMatchObject({ intact: true });
    await mkdir(join((await pathsOf(directory, 'run-2')).folder, 'audit.json'));
    expect(await verifyAudit(directory)).toMatchObject({
      intact: false,
      problems: [{ problem: 'unreadable', what: expect.stringContaining('run-2') as string }],
    });
    for (const bad of ['', 5])
      await expect(verifyAudit(bad as never)).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('says what cannot be read at all, and lists a bounded number of problems', async () => {
    const directory = await folder();
    await mkdir(log(directory));
    await expect(verifyAudit(directory)).rejects.toMatchObject({ code: 'file_unreadable' });
    const other = await folder();
    await writeFile(log(other), 'x\n'.repeat(3000));
    expect((await verifyAudit(other)).problems).toHaveLength(1000);
    await writeFile(join(other, 'runs'), 'no folder');
    await expect(verifyAudit(other)).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  it('finds any tampering with bytes or lines, except where nothing was changed', async () => {
    const directory = await folder('run-1');
    const sink = fileAudit(directory);
    for (const reason of ['één', 'two "quoted"', 'three\nlines', '\ufffd four', 'five'])
      await sink.record(entry(reason));
    const original = await readFile(log(directory));
    const lines = original.toString('utf8').trimEnd().split('\n');
    const at = fc.nat({ max: original.length - 1 });
    const line = fc.nat({ max: lines.length - 1 });
    const bytes = fc.uint8Array({ maxLength: 4 });
    const edit = fc.oneof(
      fc
        .tuple(at, fc.nat({ max: 40 }), bytes)
        .map(([from, length, put]) =>
          Buffer.concat([original.subarray(0, from), put, original.subarray(from + length)]),
        ),
      fc.tuple(line, line).map(([from, to]) => {
        const moved = [...lines];
        const [taken = ''] = moved.splice(from, 1);
        moved.splice(to, 0, taken);
        return Buffer.from(`${moved.join('\n')}\n`);
      }),
      fc
        .tuple(line, line)
        .map(([from, to]) =>
          Buffer.from(`${lines.toSpliced(to, 0, lines[from] ?? '').join('\n')}\n`),
        ),
      fc.subarray(lines).map((kept) => Buffer.from(kept.map((one) => `${one}\n`).join(''))),
      fc
        .tuple(
          line,
          fc.constantFrom('who', 'reason', 'at', 'seq', 'verdict', 'version'),
          fc.string(),
        )
        .map(([index, key, value]) => {
          const record = { ...(JSON.parse(lines[index] ?? '') as AuditRecord), [key]: value };
          return Buffer.from(`${lines.with(index, JSON.stringify(record)).join('\n')}\n`);
        }),
    );
    await fc.assert(
      fc.asyncProperty(edit, async (tampered) => {
        await writeFile(log(directory), tampered);
        const { intact, torn } = await verifyAudit(directory);
        // what is added without a line feed at the end looks like a write that was cut off, and never counts
        const onlyTorn = torn && tampered.subarray(0, original.length).equals(original);
        expect(intact).toBe(tampered.equals(original) || onlyTorn);
      }),
      { numRuns: 1000 },
    );
  });
});

const isPosix = process.platform !== 'win32';

const newFolder = () => folder();

async function writeJournal(store: Store): Promise<void> {
  const journal = await store.open('Run-1', true);
  const value = 'y'.repeat(1000);
  await journal.append({ type: 'step', name: 'large', input: 'x', value, at: 1 });
  await journal.close();
}

const report = { runId: 'run-1', reviews: [] } as unknown as RunReport;
const digest = 'a'.repeat(64);

/** Every writer of the package into a store: writes something below the folder. */
const writers: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  fileStore: (folder) => writeJournal(fileStore(folder, { blobBytes: 256 })),
  fileAudit: async (folder) => {
    await writeJournal(fileStore(folder));
    await fileAudit(folder, { waitMs: 200 }).record({ kind: 'answer', who: 'Ada', runId: 'Run-1' });
  },
  fileVerdicts: (folder) =>
    fileVerdicts(folder).put(digest, { schema: 1, at: 1, assessments: [] } as never),
  fileAnswers: (folder) => fileAnswers(folder).set(digest, { text: 'yes' } as never),
  fileCassette: (folder) =>
    fileCassette(join(folder, 'cassettes/one.jsonl')).append({
      key: digest,
      response: { text: 'yes' },
    } as never),
  fileLessons: async (folder) =>
    fileLessons(join(folder, 'lessons.jsonl')).capture?.(improvedRun('task', 'no title')),
  fileAttempts: (folder) => fileAttempts(folder).record(taskAttempt()),
  filePerson: (folder) =>
    filePerson(folder).ask({
      id: 'q1',
      runId: 'run-1',
      digest,
      question: 'Do you?',
      gaps: [],
      allowed: ['approve'],
    }),
  sqliteStore: async (folder) => {
    const store = sqliteStore(join(folder, 'db/reviewloop.db'));
    await writeJournal(store);
    await store.close();
  },
  folderWorkspace: async (folder) => {
    await mkdir(join(folder, 'site'), { mode: 0o700 });
    await writeFile(join(folder, 'site/a.txt'), 'text', { mode: 0o600 });
    await folderWorkspace(join(folder, 'site'), { store: join(folder, 'store') }).snapshot();
  },
  saveRun: async (folder) => {
    const files = folderFiles(folder);
    await files.prepare();
    const output = { artifacts: [{ path: 'a/b.txt', type: 'text', content: 'text' }] };
    await saveRun(files, { report, summary: 'text', output });
  },
  writeJson: (folder) => writeJson(folderFiles(folder), 'runs/run-1/summary.json', {}),
  runLog: async (folder) => runLog(folderFiles(folder), 'log.jsonl').info({}, 'text'),
};

/**
 * Returns all files and folders below a folder. The logs of a database are left out: a closed
 * connection removes them when its statements are collected, which may happen during the test.
 */
async function entriesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((entry) => !/-(?:wal|shm)$/.test(entry)).sort();
}

describe.runIf(isPosix)('what a store writes', () => {
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0o022);
  });
  afterEach(() => void process.umask(umask));

  it.each(Object.keys(writers))('%s: only its owner can read it [R2-117]', async (name) => {
    const folder = await newFolder();
    await writers[name]?.(folder);
    const entries = await entriesOf(folder);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      const found = await lstat(join(folder, entry));
      expect((found.mode & 0o777).toString(8), entry).toBe(found.isDirectory() ? '700' : '600');
    }
  });

  it.each(Object.keys(writers))('%s: no symbolic link is followed [R2-116]', async (name) => {
    const first = await newFolder();
    await writers[name]?.(first);
    const planted = (await entriesOf(first)).filter(
      (entry) => !/^(?:site|db$|store$|cassettes$)/.test(entry),
    );
    expect(planted.length).toBeGreaterThan(0);
    for (const entry of planted) {
      const [folder, outside] = [await newFolder(), await newFolder()];
      await writeFile(join(outside, 'file'), 'mine');
      await mkdir(join(outside, 'folder'));
      const kind = (await lstat(join(first, entry))).isDirectory() ? 'folder' : 'file';
      await mkdir(dirname(join(folder, entry)), { recursive: true });
      await symlink(join(outside, kind), join(folder, entry));
      await Promise.resolve(writers[name]?.(folder)).catch(() => {});
      expect(await readFile(join(outside, 'file'), 'utf8'), entry).toBe('mine');
      expect(await readdir(join(outside, 'folder')), entry).toEqual([]);
    }
  });

  it.each(['-wal', '-shm'])(
    'an open database: only its owner reads its %s [R2-117]',
    async (end) => {
      const folder = await newFolder();
      const store = sqliteStore(join(folder, 'a.db'));
      await writeJournal(store);
      expect(((await lstat(join(folder, `a.db${end}`))).mode & 0o777).toString(8)).toBe('600');
      await store.close();
    },
  );

  it.each(['-wal', '-shm', '-journal'])(
    'a database with a link for %s is refused [R2-116]',
    async (end) => {
      const [folder, outside] = [await newFolder(), await newFolder()];
      await writeFile(join(outside, 'file'), 'mine');
      await symlink(join(outside, 'file'), join(folder, `a.db${end}`));
      const store = sqliteStore(join(folder, 'a.db'));
      await expect(store.list()).rejects.toMatchObject({ code: 'output_unwritable' });
      expect(await readFile(join(outside, 'file'), 'utf8')).toBe('mine');
    },
  );

  it('a journal that is a link is refused by name [R2-116]', async () => {
    const [folder, outside] = [await newFolder(), await newFolder()];
    const place = join(folder, 'runs', folderNameOf('run-1'));
    await mkdir(place, { recursive: true });
    await writeFile(join(outside, 'file'), '');
    await symlink(join(outside, 'file'), join(place, 'journal.jsonl'));
    await expect(fileStore(folder).open('run-1', true)).rejects.toMatchObject(
      errorWith('file_unreadable', /journal\.jsonl.*symbolic link/),
    );
  });
});

describe('run ids that differ only by case', () => {
  it('have folders that no file system confuses [R2-116]', () => {
    const ids = ['run', 'Run', 'RUN', 'rUn', 'CON', 'con', 'Con', 'a'.repeat(200), 'A'.repeat(200)];
    const names = ids.map((id) => folderNameOf(id).toLowerCase());
    expect(new Set(names).size).toBe(ids.length);
    for (const id of ids.filter((one) => one.length < 100)) {
      expect(runIdOf(folderNameOf(id))).toBe(id);
    }
  });

  it('a run of an earlier version stays where it is [R2-116]', async () => {
    const folder = await newFolder();
    await writeJournal(fileStore(folder));
    const { rename } = await import('node:fs/promises');
    await rename(join(folder, 'runs', folderNameOf('Run-1')), join(folder, 'runs/Run-1'));
    const store = fileStore(folder);
    expect(await store.read('Run-1')).toHaveLength(1);
    expect((await store.list()).map(({ runId }) => runId)).toEqual(['Run-1']);
    await (await store.open('Run-1', true)).close();
    expect(await readdir(join(folder, 'runs'))).toEqual(['Run-1']);
  });
});
