import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareRuns } from '../../../../src/cli-kit/run-stores.js';
import { type AnswerTask, answerTask } from '../../../../src/task-review/command/answer-task.js';
import { readTask } from '../../../../src/task-review/command/task-record.js';
import { TaskWorker } from '../../../../src/task-review/command/task-worker.js';
import { streams } from '../../../support/command-streams.js';
import { runOf, taskOf } from './task-place.js';
import { shop } from './task-shop.js';

/** A task that waits for an answer, or ended. */
async function asked(settings: Parameters<typeof runOf>[1] = {}) {
  const made = shop();
  const run = runOf(made.cwd, { settings: { hitlReview: true }, ...settings });
  await prepareRuns(run.store);
  const tasks = [taskOf('T-1')];
  const { io } = streams(made.cwd);
  await new TaskWorker(io, run, { root: made.cwd, provider: undefined, tasks }).all(tasks);
  const answer = async (kind: AnswerTask['kind'], more: Partial<AnswerTask> = {}) => {
    const record = await readTask(run.store, 'T-1');
    if (record === undefined) throw new Error('no record');
    const { io: at, written } = streams(made.cwd);
    const given = { by: 'Ada', reason: undefined, question: undefined, store: run.store };
    const code = await answerTask(at, record, {
      ...{ ...given, kind, format: 'text', report: [] },
      ...more,
    });
    return { code, ...written };
  };
  return { ...made, answer };
}

describe('the answer to a task that waits', () => {
  it('commits what is approved, and clears away what is rejected', async () => {
    const approved = await asked();
    expect(await approved.answer('approve', { reason: 'seen' })).toEqual({
      ...{ code: 0, out: 'T-1: success (review: passed)\n', err: '' },
    });
    expect(approved.git('log', '-1', '--format=%s')).toBe('T-1: Do T-1');
    const rejected = await asked();
    const { code, out } = await rejected.answer('reject', { reason: 'thin' });
    expect([code, out.split('\n').slice(0, 3)]).toEqual([
      51,
      [
        'T-1: failed  (review: rejected)',
        '  rejected, REVIEW_REJECTED: Review rejected by human',
        expect.stringMatching(/^ {2}its changes are set aside: git apply \S+\.patch$/),
      ],
    ]);
    expect(existsSync(join(rejected.cwd, 'T-1.txt'))).toBe(false);
  });

  it('gives the whole result as JSON', async () => {
    const { answer } = await asked();
    const { out } = await answer('reject', { reason: 'thin', format: 'json' });
    expect(JSON.parse(out)).toMatchObject({
      ...{ schemaVersion: 1, id: 'T-1', done: false, exitCode: 51, success: false },
      ...{ aside: expect.stringMatching(/\.patch$/) as string, run: { status: 'rejected' } },
      attempts: [{ decidedBy: 'Ada', decisionReason: 'thin' }],
    });
  });

  it('does the task again, with the findings where no reason is given', async () => {
    for (const [reason, told] of [
      [undefined, 'Fix requested. Review findings:\nnone were named'],
      ['more milk', 'more milk'],
    ] as const) {
      const exec = 'printf "$REVIEWLOOP_ATTEMPT $REVIEWLOOP_PREVIOUS_ERROR" > T-1.txt';
      const { answer, git } = await asked({ settings: { hitlReview: true, exec } });
      const { code, out } = await answer('revise', { reason });
      expect([code, out.split('\n')[1]]).toEqual([53, '  suspended: waiting for an answer']);
      expect((await answer('approve', { reason: 'seen' })).code).toBe(0);
      expect(git('show', 'HEAD:T-1.txt')).toBe(`2 ${told}`);
    }
  });

  it('is for the question that is open', async () => {
    const { answer } = await asked();
    await expect(answer('approve', { question: 'other' })).rejects.toMatchObject({
      ...{ code: 'request_unknown', value: 'other' },
    });
  });
});

describe('a task that asks no question', () => {
  const failing = { settings: { testCommand: 'false' } };

  it('may be overridden with a reason, in a clean folder', async () => {
    const { answer, git, write } = await asked(failing);
    await expect(answer('approve')).rejects.toMatchObject({ code: 'request_unknown' });
    write('mine.txt', 'mine\n');
    await expect(answer('override', { reason: 'a hotfix' })).rejects.toMatchObject({
      ...{ code: 'usage', message: expect.stringContaining('uncommitted changes') as string },
    });
    git('stash', '-qu');
    expect(await answer('override', { reason: 'a hotfix' })).toMatchObject({
      ...{ code: 0, out: 'T-1: success (review: passed)\n' },
    });
    expect(git('show', '--format=%s', '--name-only')).toBe('T-1: Do T-1\n\nT-1.txt');
    await expect(answer('override', { reason: 'again' })).rejects.toMatchObject({
      code: 'request_unknown',
    });
  });

  it('is not gone on with after commits of others', async () => {
    const { answer, git, write, commit } = await asked(failing);
    write('mine.txt', 'mine\n');
    commit('my own work');
    await expect(answer('override', { reason: 'a hotfix' })).rejects.toMatchObject({
      code: 'request_stale',
    });
    expect(git('log', '-1', '--format=%s')).toBe('my own work');
  });

  it('overrides what its worktree holds, whatever the folder holds', async () => {
    const { answer, git, write } = await asked({ ...failing, parallel: 2 });
    write('mine.txt', 'mine\n');
    expect((await answer('override', { reason: 'a hotfix' })).code).toBe(0);
    expect(git('status', '--porcelain')).toBe('?? mine.txt');
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

it('two commands do not work in one folder', async () => {
  const { answer } = await asked();
  const both = await Promise.allSettled([
    answer('approve', { reason: 'seen' }),
    answer('approve', { reason: 'seen' }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'workspace_busy' },
  });
});
