import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import { finishTask, isHeld, isUnfinished } from '@/faces/commands/task-review/begin-task.js';
import {
  addFolder,
  commitTask,
  removeFolder,
  repositoryOf,
  uncommitted,
} from '@/faces/commands/task-review/task-folder.js';
import {
  isTaskRun,
  readTask,
  readTasksIn,
  saveTask,
} from '@/faces/commands/task-review/task-record.js';
import { folderFiles } from '@/node/store-file.js';
import type { TaskResult } from '@/products/task-review/task-result.js';
import { newRepository, type Repository } from '../../../../support/git-repository.js';
import { errorWith } from '../../../../support/matchers.js';
import { taskAttempt } from '../../../../support/task-attempt.js';
import { begun, runOf } from './task-place.js';
import { shop } from './task-shop.js';

type Shop = ReturnType<typeof shop>;

/** A repository in which an attempt at T-1 was begun. */
async function started(more: Parameters<typeof taskAttempt>[0] | undefined) {
  const made = shop();
  const run = runOf(made.cwd);
  await run.store.prepare();
  const record = await begun('T-1', run, made.cwd);
  const { runId } = record;
  if (more !== undefined)
    await run.store.attempts.record(taskAttempt({ taskId: 'T-1', runId, ...more }));
  return { ...made, store: run.store, record, runId };
}
const waiting = { status: 'waiting' } as const;

describe('a task that begins', () => {
  it('has a record with the commit that it starts from, and the command that does it again', async () => {
    const { cwd, git, store } = await started(undefined);
    const record = await readTask(store.files, 'T-1');
    expect(record).toMatchObject({
      ...{ schemaVersion: 2, root: cwd, folder: cwd, base: git('rev-parse', 'HEAD') },
      ...{ task: { id: 'T-1', name: 'Do T-1' }, again: 'reviewloop tasks run --task T-1' },
    });
    expect(record?.task).not.toHaveProperty('line');
    expect(await isTaskRun(store.files, record?.runId ?? '')).toBe(true);
    expect(await isTaskRun(store.files, 'other')).toBe(false);
    expect(await readTasksIn(store.files)).toEqual([record]);
    expect(await readTasksIn(folderFiles(join(cwd, 'nowhere')))).toEqual([]);
  });

  it('has a folder of its own beside others', async () => {
    const { cwd, git } = shop();
    const record = await begun('T-1', runOf(cwd, { parallel: 2 }), cwd);
    expect(record.folder).toBe(join(cwd, '.reviewloop/worktrees', record.runId));
    expect(existsSync(join(record.folder, 'do.sh'))).toBe(true);
    expect(record.base).toBe(git('rev-parse', 'HEAD'));
  });

  it.each([undefined, waiting, { errorCode: 'CANCELLED' }, { errorCode: 'REVIEW_ERROR' }])(
    'goes on with its run, if it did not end: %j',
    async (attempt) => {
      const { cwd, runId, store } = await started(attempt);
      const settings = { budgetTokens: 5, model: 'm', exec: 'other' };
      const next = await begun('T-1', runOf(cwd, { settings, again: () => 'again' }), cwd);
      expect(next.runId).toBe(runId);
      // the model and the budget are those of this call; the work is done as it was begun
      expect(next).toMatchObject({ again: 'again', settings: { budgetTokens: 5, model: 'm' } });
      expect(next.settings.exec).not.toBe('other');
      expect(await readTask(store.files, 'T-1')).toEqual(next);
    },
  );

  it.each([{ status: 'success' } as const, { errorCode: 'TESTS_FAILED' }, {}])(
    'begins again after an end: %j',
    async (attempt) => {
      const { cwd, runId } = await started(attempt);
      expect((await begun('T-1', runOf(cwd), cwd)).runId).not.toBe(runId);
    },
  );

  it('begins anew, with what it had changed set aside', async () => {
    const { cwd, git, write, runId } = await started(waiting);
    write('T-1.txt', 'half\n');
    expect((await begun('T-1', runOf(cwd, { anew: true }), cwd)).runId).not.toBe(runId);
    expect(git('status', '--porcelain')).toBe('');
    const aside = readdirSync(join(cwd, '.reviewloop/set-aside'));
    expect(aside).toEqual([`T-1-${runId.slice(-8)}.patch`]);
  });

  it('takes back no commit of others, and begins on top of them only anew [R3-119]', async () => {
    const { cwd, write, commit, runId } = await started(waiting);
    write('mine.txt', 'mine\n');
    commit('my own work');
    for (const more of [{}, { chosen: ['T-1'] }])
      await expect(begun('T-1', runOf(cwd, more), cwd)).rejects.toMatchObject({
        ...{ code: 'usage', message: expect.stringContaining('--task T-1 --anew') as string },
      });
    expect((await begun('T-1', runOf(cwd, { anew: true }), cwd)).runId).not.toBe(runId);
  });

  it('goes on after its own commit, whose process died', async () => {
    const { cwd, write, commit, runId } = await started(waiting);
    write('T-1.txt', 'done\n');
    commit('T-1: Do T-1');
    expect((await begun('T-1', runOf(cwd), cwd)).runId).toBe(runId);
    write('more.txt', 'more\n');
    commit('T-1: Do T-1');
    await expect(begun('T-1', runOf(cwd), cwd)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a folder with changes', () => {
  const refused = async (id: string, { cwd }: Shop): Promise<string> => {
    const error: unknown = await begun(id, runOf(cwd), cwd).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage', value: cwd });
    return error instanceof Error ? error.message : '';
  };

  it('is refused with the way on: changes of its own, of this task, of another one', async () => {
    const own = shop();
    own.write('mine.txt', 'mine\n');
    expect(await refused('T-1', own)).toContain('do not mix with the work on T-1');
    const held = await started(waiting);
    held.write('T-1.txt', 'half\n');
    expect(await refused('T-2', held)).toContain('set its work aside with --task T-1 --anew');
    const ended = await started({ errorCode: 'TESTS_FAILED' });
    ended.write('T-1.txt', 'half\n');
    expect(await refused('T-1', ended)).toContain('uncommitted changes');
  });

  it('that holds this task, whose record was replaced, is told so', async () => {
    const { cwd, write, store, record, git } = await started(waiting);
    write('T-1.txt', 'half\n');
    await saveTask(store.files, { ...record, base: '0'.repeat(40) });
    await expect(begun('T-1', runOf(cwd, { chosen: ['T-1'] }), cwd)).rejects.toThrow(
      'pass --task T-1 --anew',
    );
    expect(git('status', '--porcelain')).toBe('?? T-1.txt');
  });
});

describe('a task that ends', () => {
  const end = (more: object) =>
    ({ status: 'failed', success: false, code: null, ...more }) as TaskResult;
  const done = end({ status: 'success', success: true });
  const open = [
    end({ status: 'waiting' }),
    ...['CANCELLED', 'COMMIT_FAILED', 'REVIEW_NOT_RUN', 'REVIEW_ERROR'].map((code) =>
      end({ code }),
    ),
  ];

  it('is unfinished if it waits, or can go on', () => {
    for (const { status, code } of open)
      expect(isUnfinished({ status, errorCode: code })).toBe(true);
    for (const errorCode of [null, 'TESTS_FAILED', 'REVIEW_FAILED', 'TIMED_OUT', 'ERROR'])
      expect(isUnfinished({ status: 'failed', errorCode }), String(errorCode)).toBe(false);
    expect(isUnfinished({ status: 'success', errorCode: null })).toBe(false);
  });

  it('holds the folder if its work stays there', async () => {
    const { cwd, record } = await started(undefined);
    for (const one of open) expect(isHeld(record, one)).toBe(true);
    for (const one of [done, end({ code: 'TESTS_FAILED' })])
      expect(isHeld(record, one)).toBe(false);
    const uncommitted = { ...record, settings: { ...record.settings, commit: false } };
    expect([isHeld(uncommitted, done), isHeld(uncommitted, end({}))]).toEqual([true, false]);
    expect(isHeld({ ...uncommitted, folder: join(cwd, 'elsewhere') }, done)).toBe(false);
  });

  it('leaves its work where it can go on, and sets it aside where not', async () => {
    const { cwd, git, write, store, record } = await started(undefined);
    write('T-1.txt', 'half\n');
    for (const one of [done, ...open]) expect(await finishTask(record, one, store)).toEqual({});
    expect(git('status', '--porcelain')).toBe('?? T-1.txt');
    const { aside } = await finishTask(record, end({ code: 'TESTS_FAILED' }), store);
    expect(aside).toMatch(/T-1-\w+\.patch$/);
    expect(git('status', '--porcelain')).toBe('');
    expect(await finishTask(record, end({ code: 'TESTS_FAILED' }), store)).toEqual({
      aside: undefined,
    });
    const own = await begun('T-2', runOf(cwd, { parallel: 2 }), cwd);
    expect(await finishTask(own, end({}), store)).toEqual({ folder: own.folder });
    expect(existsSync(own.folder)).toBe(true);
    expect(await finishTask(own, done, store)).toEqual({});
    expect(existsSync(own.folder)).toBe(false);
  });
});

describe('the folder of a task', () => {
  const task = { id: 'TASK-001', name: 'Add\ntea' };

  function shop(): Repository {
    const repository = newRepository();
    repository.write('tea.txt', 'green\n');
    repository.write('.gitignore', '.reviewloop\n');
    repository.commit('first');
    return repository;
  }

  it('the work of a folder of its own reaches the branch once, also when its process died right afterwards', async () => {
    const { cwd, git, write, commit } = shop();
    const folder = await addFolder(cwd, folderStore(join(cwd, '.reviewloop')), 'run-1');
    write('milk.txt', 'of another task\n');
    commit('TASK-000: Add milk');
    writeFileSync(join(folder, 'tea.txt'), 'black\n');
    for (let time = 0; time < 2; time += 1) await commitTask(cwd, folder, task);
    const log = git('log', '--format=%s').split('\n');
    expect(log).toEqual(['TASK-001: Add tea', 'TASK-000: Add milk', 'first']);
    expect(readFileSync(join(cwd, 'tea.txt'), 'utf8')).toBe('black\n');
    await removeFolder(cwd, folder);
    expect(existsSync(folder)).toBe(false);
  });

  it('work that does not fit onto the branch is refused, and leaves the branch as it was', async () => {
    const { cwd, git, write, commit } = shop();
    const folder = await addFolder(cwd, folderStore(join(cwd, '.reviewloop')), 'run-1');
    write('tea.txt', 'white\n');
    commit('another opinion');
    writeFileSync(join(folder, 'tea.txt'), 'black\n');
    await expect(commitTask(cwd, folder, task)).rejects.toMatchObject(
      errorWith('git_failed', 'cherry-pick'),
    );
    expect(git('log', '-1', '--format=%s')).toBe('another opinion');
    expect(await uncommitted(cwd)).toBe('');
  });

  it('a task that changed nothing is no commit', async () => {
    const { cwd, git } = shop();
    const folder = await addFolder(cwd, folderStore(join(cwd, '.reviewloop')), 'run-1');
    await commitTask(cwd, folder, task);
    await commitTask(cwd, cwd, task);
    expect(git('log', '--format=%s')).toBe('first');
  });

  it('a folder of no repository is refused by its name', async () => {
    await expect(repositoryOf('/')).rejects.toMatchObject({ code: 'not_a_repository' });
  });
});
