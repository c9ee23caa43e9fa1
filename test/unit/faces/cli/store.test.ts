import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { FileCopy } from '@/faces/cli/store/copy-store.js';
import { folderFiles } from '@/node/store-file.js';
import { ending, errorWith, failing, words } from '../../../support/matchers.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { folderOf, goodPage, runCli } from './harness.js';

const config =
  "export default { criteria: { fine: ({ artifacts }) => !artifacts[0].content.includes('bad') || 'bad' } };";
const asking = `export default {
  requirements: false,
  criteria: { fine: async () => true },
  policy: () => ({ kind: 'ask', reason: 'always', question: 'ship it?', allowed: ['approve', 'reject'] }),
};`;
const flag = '--store sqlite:kept/runs.db';
const store = ['--store', 'sqlite:kept/runs.db'];

describe('--store sqlite:FILE', () => {
  test('keeps the journal, reviews, gaps and the log of decisions in the database, and reports beside it', async () => {
    const cwd = await folderOf({ 'a.txt': 'bad\n', 'reviewloop.config.mjs': config });
    const reviewed = await runCli(cwd, ['review', 'a.txt', '--task-text', 'x', '-q', ...store]);
    expect(reviewed).toMatchObject({ code: 50, out: expect.stringContaining(flag) });
    const [id = ''] = await readdir(join(cwd, 'kept/runs.db.sqlite-reports/runs'));
    expect(existsSync(join(cwd, '.reviewloop'))).toBe(false);
    expect(await readFile(join(cwd, 'kept/.gitignore'), 'utf8')).toBe('*\n');
    expect(await runCli(cwd, ['runs', ...store])).toMatchObject(ending(0, '1 gap'));
    for (const [command, said] of [
      [['show'], 'NOT APPROVED'],
      [['history'], 'REJECTED'],
      [['runs', '--summary'], `Run ${id}, `],
      [['runs', '--summary'], 'Not approved'],
      [['runs', '--metrics'], 'Reviews: 1'],
    ] as const)
      expect((await runCli(cwd, [...command, ...store])).out).toContain(said);
    const override = ['override', id, '--reason', 'Legal has checked it', '--by', 'Ada', '-q'];
    expect((await runCli(cwd, [...override, ...store])).code).toBe(0);
    expect(await runCli(cwd, ['audit', 'verify', ...store])).toMatchObject(
      ending(0, /^INTACT: 1 record in kept\/runs\.db\nlast: 1:[0-9a-f]{64}\n$/),
    );
    const database = sqliteStore(join(cwd, 'kept/runs.db'));
    expect(await database.query('SELECT run_id, status FROM runs')).toEqual([
      { run_id: id, status: 'accepted' },
    ]);
    expect(await database.query('SELECT criterion, description, file FROM gaps')).toEqual([
      { criterion: 'fine', description: expect.stringContaining('bad'), file: null },
    ]);
    expect(await database.query('SELECT who, kind, reason FROM answers')).toEqual([
      { who: 'Ada', kind: 'override', reason: 'Legal has checked it' },
    ]);
    expect(await database.query('SELECT who, decision FROM audit')).toEqual([
      { who: 'Ada', decision: 'override' },
    ]);
    await database.close();
  });

  test('answers a run that waits there, from the next command that it was told', async () => {
    const cwd = await folderOf({ 'a.txt': 'good\n', 'reviewloop.config.mjs': asking });
    const waiting = await runCli(cwd, ['review', 'a.txt', '--task-text', 'x', '-q', ...store]);
    expect(waiting).toMatchObject(
      ending(53, /next: reviewloop answer \S+ approve --store sqlite:kept\/runs\.db/),
    );
    const [id = ''] = await readdir(join(cwd, 'kept/runs.db.sqlite-reports/runs'));
    const answer = ['answer', id, 'approve', '--by', 'Ada', '-q', ...store];
    expect((await runCli(cwd, answer)).code).toBe(0);
    expect((await runCli(cwd, answer)).code).toBe(2);
    const database = sqliteStore(join(cwd, 'kept/runs.db'));
    const answered = 'SELECT question, answers.kind FROM questions JOIN answers USING (run_id, id)';
    expect(await database.query(answered)).toEqual([{ question: 'ship it?', kind: 'approve' }]);
    await database.close();
  });

  test('is not reviewed itself', async () => {
    const cwd = await folderOf({ 'a.txt': 'bad\n', 'reviewloop.config.mjs': config });
    const here = ['--store', 'sqlite:runs.txt'];
    await runCli(cwd, ['review', '.', '--task-text', 'x', '-q', ...here]);
    const again = await runCli(cwd, [...words('review . --task-text x -q --format json'), ...here]);
    expect(again.out).not.toMatch(/"path": "runs\.txt/);
  });

  test.each([['sqlite:'], ['sqlite'], ['file:'], ['sql:a.db'], ['file:runs.db.sqlite-reports']])(
    '%s is refused',
    async (given) => {
      const argv = [...words('review a.txt --task-text x --store'), given];
      expect((await runCli(await folderOf({ 'a.txt': 'x' }), argv)).code).toBe(2);
    },
  );

  test('refuses a file that is no database before anything is reviewed, and leaves it alone', async () => {
    const cwd = await folderOf({ 'a.txt': 'bad\n', 'reviewloop.config.mjs': config });
    const content = 'these are my notes '.repeat(300);
    await writeFile(join(cwd, 'notes.md'), content);
    const review = words('review a.txt --task-text x -q --store sqlite:notes.md');
    expect(await runCli(cwd, review)).toMatchObject(failing(1, 'not a valid database'));
    expect(await readFile(join(cwd, 'notes.md'), 'utf8')).toBe(content);
    expect(existsSync(join(cwd, 'notes.md.sqlite-reports'))).toBe(false);
  });

  test('is taken by every command, but for those that keep no runs', async () => {
    const cwd = await folderOf();
    const names = [...(await runCli(cwd, ['--help'])).out.matchAll(/^ {2}([a-z]+)(?: \[| {2,})/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help' && name !== 'reviewloop');
    expect(names).toEqual(expect.arrayContaining(['review', 'answer', 'gate', 'mcp', 'calibrate']));
    const below: Readonly<Record<string, string[]>> = {
      tasks: ['tasks', 'run'],
      audit: ['audit', 'verify'],
      lessons: ['lessons', 'accept'],
      store: ['store', 'prune'],
    };
    const without: string[] = [];
    for (const name of names) {
      const { out } = await runCli(cwd, [...(below[name] ?? [name]), '--help']);
      if (!out.includes('--store <store>')) without.push(name);
    }
    // these write no run: lists, a file in --state-dir, a configuration; a hook is told by it
    expect(without).toEqual(['requirements', 'secrets', 'verify', 'checklist', 'hook', 'init']);
  });
});

describe('reviewloop store', () => {
  test('prune removes old runs with their reports, and keeps the newest', async () => {
    for (const store of ['file:.reviewloop', 'sqlite:runs.db']) {
      const cwd = await folderOf({ 'a.html': goodPage });
      const review = ['review', 'a.html', '--task-text', 'Sign in', '--no-requirements', '-q'];
      const at = ['--store', store];
      await runCli(cwd, [...review, ...at]);
      await runCli(cwd, [...review, ...at]);
      const kept = await runCli(cwd, ['store', 'prune', '--older-than', '1d', ...at]);
      expect(kept.out).toBe('removed 0 runs and 0 verdicts\n');
      const pruned = await runCli(cwd, [...words('store prune --older-than 0m --keep 1'), ...at]);
      expect([pruned.code, pruned.out]).toEqual([
        0,
        'removed 1 run and 0 verdicts\n  review: 1 run\n',
      ]);
      const { runs } = JSON.parse((await runCli(cwd, ['runs', '--json', ...at])).out);
      expect(runs.length).toBe(1);
    }
  });

  test('prune takes time spans only, and copy only databases', async () => {
    const cwd = await folderOf();
    for (const [line, message] of [
      ['store prune --older-than yesterday', 'such as 12h, 7d or 4w'],
      ['store copy file:none file:other', 'cannot copy from file:none'],
      ['runs --orphans x', 'not both'],
    ] as const)
      expect(await runCli(cwd, words(line))).toMatchObject(failing(2, message));
  });
});

it.runIf(process.platform !== 'win32').each([
  ['a linked file', 'summary.md'],
  ['a linked folder', 'output'],
  ['a linked file of the output', join('output', 'page.html')],
])('store copy copies no other files through %s, and says so', async (_, name) => {
  const folder = tempFolder('reviewloop-copy');
  const [from, to, other] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'other')];
  await mkdir(join(from, 'runs', 'r', 'output'), { recursive: true });
  await mkdir(other);
  await writeFile(join(other, 'private.txt'), 'private');
  const linked = join(from, 'runs', 'r', name);
  await rm(linked, { recursive: true, force: true });
  await symlink(name === 'output' ? other : join(other, 'private.txt'), linked);
  const copy = new FileCopy(folderFiles(from), folderFiles(to));
  await expect(copy.run('r', 'r', true)).rejects.toMatchObject(
    errorWith('file_unreadable', 'it is a symbolic link, which is not followed'),
  );
  expect(await readdir(to, { recursive: true }).catch(() => [])).toEqual([]);
});
