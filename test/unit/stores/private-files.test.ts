import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fileLessons } from '../../../src/lessons/file-lessons.js';
import { filePerson } from '../../../src/people/file-person.js';
import type { Store } from '../../../src/ports/store.js';
import { prepareStore, saveRun } from '../../../src/reports/run-folder.js';
import { runLog } from '../../../src/reports/run-log.js';
import type { RunReport } from '../../../src/reports/run-report.js';
import { saveSummaryFiles } from '../../../src/reviewer-stage/command/stage-files.js';
import { fileAudit } from '../../../src/stores/file/file-audit.js';
import {
  fileAnswers,
  fileCassette,
  fileStore,
  fileVerdicts,
} from '../../../src/stores/file/index.js';
import { folderNameOf, runIdOf } from '../../../src/stores/file/run-names.js';
import { sqliteStore } from '../../../src/stores/sqlite/index.js';
import { folderWorkspace } from '../../../src/stores/workspace/folder-workspace.js';
import { fileAttempts } from '../../../src/task-review/file-attempts.js';
import { taskAttempt } from '../../support/task-attempt.js';
import { improvedRun } from '../lessons/lesson-support.js';

const isPosix = process.platform !== 'win32';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reviewloop-private-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function writeJournal(store: Store): Promise<void> {
  const journal = await store.open('Run-1', true);
  await journal.append({
    type: 'step',
    name: 'large',
    input: 'x',
    value: 'y'.repeat(1000),
    at: 1,
  });
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
    await prepareStore(folder);
    const output = { artifacts: [{ path: 'a/b.txt', type: 'text', content: 'text' }] };
    await saveRun(folder, { report, summary: 'text', output });
  },
  saveSummaryFiles: (folder) => saveSummaryFiles(folder, 'run-1', { json: {}, page: 'text' }),
  runLog: async (folder) => runLog(join(folder, 'log.jsonl')).info({}, 'text'),
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
    await expect(fileStore(folder).open('run-1', true)).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringMatching(/journal\.jsonl.*symbolic link/) as string,
    });
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
