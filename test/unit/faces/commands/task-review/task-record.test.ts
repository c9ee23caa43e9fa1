import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readTask,
  readTasksIn,
  saveTask,
  type TaskRecord,
  taskOfRun,
} from '@/faces/commands/task-review/task-record.js';
import { taskRunReport } from '@/faces/commands/task-review/task-run-report.js';
import { folderFiles } from '@/node/store-file.js';
import type { JournalRecord } from '@/ports/store.js';
import { errorWith, expectCode } from '../../../../support/matchers.js';
import { taskAttempt } from '../../../../support/task-attempt.js';
import { folderOf } from '../../cli/harness.js';
import { settings } from './task-place.js';

const keptOf = (id: string, runId: string): TaskRecord => ({
  ...{ schemaVersion: 2, runId, root: '/r', folder: '/r' },
  task: { id, name: 'x', checklist: [], dependsOn: [] },
  settings,
  again: 'reviewloop tasks run --task X',
});

it('a task is found by its id and by the beginning of the id of its run, and by nothing that fits two', async () => {
  const store = folderFiles(await folderOf());
  expect(await taskOfRun(store, 'abc')).toBeUndefined();
  await saveTask(store, keptOf('TASK-001', 'abc-1'));
  await saveTask(store, keptOf('TASK-002', 'abc-2'));
  expect(await taskOfRun(store, 'abc-1')).toMatchObject({ task: { id: 'TASK-001' } });
  expect(await taskOfRun(store, 'TASK-002')).toMatchObject({ runId: 'abc-2' });
  expect(await taskOfRun(store, '')).toBeUndefined();
  await expect(taskOfRun(store, 'abc')).rejects.toMatchObject(
    errorWith('run_unknown', '2 runs begin with abc'),
  );
});

it('what is kept of a task and is damaged is refused by its place', async () => {
  const store = await folderOf();
  await saveTask(folderFiles(store), keptOf('TASK-001', 'abc'));
  const [name = ''] = await readdir(join(store, 'tasks'));
  for (const text of ['{', '{"schemaVersion":3}']) {
    await writeFile(join(store, 'tasks', name), text);
    await expect(readTask(folderFiles(store), 'TASK-001')).rejects.toMatchObject(
      errorWith('file_unreadable', name),
    );
  }
  const file = await folderOf({ tasks: 'a file' });
  await expectCode(readTask(folderFiles(file), 'TASK-001'), 'file_unreadable');
});

it('what is damaged, or no record, is left out where all are read', async () => {
  const store = await folderOf({ 'tasks/a.json': '{', 'tasks/notes.txt': 'mine' });
  await saveTask(folderFiles(store), keptOf('TASK-001', 'abc'));
  const [name = ''] = (await readdir(join(store, 'tasks'))).filter((one) => one.length > 30);
  await writeFile(join(store, 'tasks/copy.bak'), await readFile(join(store, 'tasks', name)));
  expect((await readTasksIn(folderFiles(store))).map(({ runId }) => runId)).toEqual(['abc']);
});

const task = { id: 'T-1', name: 'Greet' };
const work = (attempt: number, more: object = {}) => ({
  ...{ attempt, repairs: 0 },
  change: {
    ...{ base: 'base', digest: `d${attempt}`, leftOut: 0, files: [] as object[], diff: '' },
  },
  ...more,
});
const step = (name: string, value: unknown): JournalRecord => ({
  ...{ type: 'step', name, input: '', value, usage: {}, at: 5 },
});
const run: JournalRecord = {
  ...{ type: 'run', schema: 1, runId: 'r', pipeline: 'task-review', taskDigest: '', task },
  ...{ nonce: '', at: 0 },
};
const reportOf = (
  records: readonly JournalRecord[],
  attempts: Parameters<typeof taskRunReport>[1]['attempts'] = [],
) => taskRunReport('r', { task, records: [run, ...records], attempts });
const assessmentsOf = (...args: Parameters<typeof reportOf>) =>
  reportOf(...args).report.reviews.map(({ assessments }) => assessments);

describe('the attempts at a task that waits', () => {
  it('have the checks that ran after each, and nothing that is no check', () => {
    const check = (name: string, value: unknown) => step(`iter:1/review:checks/${name}`, value);
    expect(
      assessmentsOf([
        check('tests/run', { exitCode: 0, stdout: 'before any work' }),
        step('produce', work(1)),
        check('tests/run', { exitCode: 0, stdout: 'x'.repeat(2000), stderr: 7 }),
        check('lint', { exitCode: 2 }),
        ...[check('other', null), check('other', 'text'), check('other', { exitCode: '0' })],
        ...[check('other', {}), step('iter:1/review:review/ask', { exitCode: 0 })],
      ]),
    ).toEqual([
      [
        { criterion: 'tests', verdict: 'pass', text: `exit code 0\n${'x'.repeat(1500)}` },
        { criterion: 'lint', verdict: 'fail', text: 'exit code 2' },
      ],
    ]);
  });

  it('say why the work failed, and what each verdict of the reviewers means', () => {
    expect(assessmentsOf([step('produce', work(1, { failure: 'exit 3' }))])).toEqual([
      [{ criterion: 'execute', verdict: 'fail', text: 'exit 3' }],
    ]);
    const said = (more: Parameters<typeof taskAttempt>[0]) =>
      assessmentsOf([step('produce', work(1))], [taskAttempt(more)])[0];
    expect(said({ machineVerdict: null })).toEqual([]);
    for (const [machineVerdict, verdict] of [
      ['passed', 'pass'],
      ['fixed', 'pass'],
      ['failed', 'fail'],
      ['rejected', 'fail'],
      ['skipped', 'skipped'],
    ] as const)
      expect(said({ machineVerdict, reviewFindings: 'as it is' }), machineVerdict).toEqual([
        { criterion: 'review', verdict, text: 'as it is' },
      ]);
    expect(said({ machineVerdict: 'error', errorCode: 'REVIEW_ERROR' })).toEqual([
      {
        ...{ criterion: 'review', verdict: 'errored', code: 'REVIEW_ERROR' },
        text: 'the verdict is error',
      },
    ]);
  });

  it('are those of their numbers, the last of each, with time and cost', () => {
    const { report, versions } = reportOf(
      [step('produce', work(1)), step('iter:1/address', work(2)), step('again', work(2))],
      [taskAttempt({ attempt: 2, reviewDurationMs: 7, reviewUsage: { inputTokens: 3 } })],
    );
    expect(report.reviews).toMatchObject([
      { iteration: 1, best: false, durationMs: 0 },
      { iteration: 2, best: true, durationMs: 7, usage: { inputTokens: 3 } },
    ]);
    expect(report.reviews[0]?.usage).toBeUndefined();
    expect(report.reviews.map(({ at }) => at)).toEqual([report.at, '2026-01-01T00:00:00.000Z']);
    expect(Object.keys(versions ?? {})).toEqual(['attempt-1-d1', 'attempt-2-d2']);
    expect(report.task).toEqual({ source: 'T-1', text: 'T-1: Greet' });
  });

  it('may be none', () => {
    const { report, versions } = reportOf([]);
    expect(report).toMatchObject({ reviews: [], failures: [], files: [] });
    expect(versions).toEqual({});
  });
});

it('the files of an attempt have their part of the change, whatever their number', () => {
  const file = (path: string) => ({
    ...{ path, status: 'modified', added: 1, removed: 2, binary: false },
  });
  const part = (path: string): string => `diff --git a/${path} b/${path}\n+${path}\n`;
  const change = {
    ...work(1).change,
    files: ['a.js', 'lib/a.js', 'gone.js'].map(file),
    parts: [`[part 1 of 2]\n${part('lib/a.js')}`, `[part 2 of 2]\n${part('a.js')}`],
  };
  const { versions, report } = reportOf([step('produce', work(1, { change }))]);
  expect(versions?.['attempt-1-d1']?.map(({ path, content }) => [path, content])).toEqual([
    ['a.js', part('a.js')],
    ['lib/a.js', part('lib/a.js')],
    ['gone.js', 'modified: 1 lines added, 2 removed; not shown'],
  ]);
  expect(report.files).toEqual(
    ['a.js', 'lib/a.js', 'gone.js'].map((path) => ({ path, type: 'code', bytes: 0 })),
  );
});
