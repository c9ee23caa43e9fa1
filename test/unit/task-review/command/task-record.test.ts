import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  readTask,
  readTasksIn,
  saveTask,
  type TaskRecord,
  taskOfRun,
} from '../../../../src/task-review/command/task-record.js';
import {
  taskExitCode,
  taskLines,
  worstOf,
} from '../../../../src/task-review/command/task-report.js';
import type { TaskResult } from '../../../../src/task-review/task-result.js';
import { folderOf } from '../../cli/harness.js';

const settings: TaskRecord['settings'] = {
  exec: 'true',
  testCommand: undefined,
  lintCommand: undefined,
  review: false,
  reviewPolicy: 'advisory',
  hitlReview: false,
  attempts: 1,
  commit: true,
  timeout: 1,
  allowEnv: [],
  provider: undefined,
  model: undefined,
  baseUrl: undefined,
  contextTokens: undefined,
  providerEnv: [],
  budgetTokens: undefined,
  budgetUsd: undefined,
  learn: false,
};
const keptOf = (id: string, runId: string): TaskRecord => ({
  schemaVersion: 2,
  runId,
  root: '/r',
  folder: '/r',
  task: { id, name: 'x', checklist: [], dependsOn: [] },
  settings,
  again: 'reviewloop tasks run --task X',
});

it('a task is found by its id and by the beginning of the id of its run, and by nothing that fits two', async () => {
  const store = await folderOf();
  expect(await taskOfRun(store, 'abc')).toBeUndefined();
  await saveTask(store, keptOf('TASK-001', 'abc-1'));
  await saveTask(store, keptOf('TASK-002', 'abc-2'));
  expect(await taskOfRun(store, 'abc-1')).toMatchObject({ task: { id: 'TASK-001' } });
  expect(await taskOfRun(store, 'TASK-002')).toMatchObject({ runId: 'abc-2' });
  expect(await taskOfRun(store, '')).toBeUndefined();
  await expect(taskOfRun(store, 'abc')).rejects.toMatchObject({
    code: 'run_unknown',
    message: expect.stringContaining('2 runs begin with abc'),
  });
});

it('what is kept of a task and is damaged is refused by its place', async () => {
  const store = await folderOf();
  await saveTask(store, keptOf('TASK-001', 'abc'));
  const [name = ''] = await readdir(join(store, 'tasks'));
  for (const text of ['{', '{"schemaVersion":3}']) {
    await writeFile(join(store, 'tasks', name), text);
    await expect(readTask(store, 'TASK-001')).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining('is not the record of a task'),
    });
  }
  const file = await folderOf({ tasks: 'a file' });
  await expect(readTask(file, 'TASK-001')).rejects.toMatchObject({ code: 'file_unreadable' });
});

it('what is damaged, or no record, is left out where all are read', async () => {
  const store = await folderOf({ 'tasks/a.json': '{', 'tasks/notes.txt': 'mine' });
  await saveTask(store, keptOf('TASK-001', 'abc'));
  const [name = ''] = (await readdir(join(store, 'tasks'))).filter((one) => one.length > 30);
  await writeFile(join(store, 'tasks/copy.bak'), await readFile(join(store, 'tasks', name)));
  expect((await readTasksIn(store)).map(({ runId }) => runId)).toEqual(['abc']);
});

it('the worst exit code of several tasks is that of all', () => {
  expect(worstOf([])).toBe(0);
  expect(worstOf([0, 53, 0])).toBe(53);
  expect(worstOf([51, 50, 53])).toBe(51);
  expect(worstOf([1, 52])).toBe(1);
});

it('what failed says why, in one line each and with no more than that', () => {
  const result = {
    success: false,
    status: 'failed',
    code: 'COMMIT_FAILED',
    error: 'a\nb',
    reviewFindings: null,
    attempts: [],
    run: { runId: 'r', status: 'approved' },
  } as unknown as TaskResult;
  const ways = { store: '', again: 'reviewloop tasks run --task T-1' };
  expect(taskLines('T-1', result, ways)).toEqual([
    'T-1: pending',
    '  approved, COMMIT_FAILED: a b',
    '  next: reviewloop tasks run --task T-1 # continues',
  ]);
  expect(taskExitCode(result)).toBe(1);
  const many = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
  expect(taskLines('T-1', { ...result, reviewFindings: many }, ways)).toHaveLength(13);
});
