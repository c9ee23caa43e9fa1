import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HumanAnswerKind } from '@/core/human.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import { answerRun } from '@/faces/cli/runs/answer-run.js';
import type { Io } from '@/faces/cli-kit/io.js';
import { TaskWorker } from '@/faces/commands/task-review/task-worker.js';
import { scriptedProvider } from '@/testing/index.js';
import { streams } from '../../../../support/command-streams.js';
import { screen } from '../../../../support/screen.js';
import { taskAttempt } from '../../../../support/task-attempt.js';
import { folderOf } from '../../cli/harness.js';
import { runOf, taskOf } from './task-place.js';
import { shop } from './task-shop.js';

const [tea, milk, sugar] = [taskOf('T-1'), taskOf('T-2', 'T-1'), taskOf('T-3')];

async function done(
  cwd: string,
  tasks: readonly ReturnType<typeof taskOf>[],
  {
    io: more = {},
    provider,
    ...run
  }: Parameters<typeof runOf>[1] & { io?: Partial<Io>; provider?: LLMProvider } = {},
) {
  const { io, written } = streams(cwd, more);
  const given = runOf(cwd, run);
  await given.store.prepare();
  const worker = new TaskWorker(io, given, { root: cwd, provider, tasks });
  const ends = await worker.all(tasks);
  return { ends, ...written, codes: ends.map(({ id, exitCode }) => `${id} ${exitCode}`) };
}
const saying = (verdict: string, usage = {}) =>
  scriptedProvider(() => ({
    text: JSON.stringify({ verdict, reason: 'as it is', issues: [] }),
    usage,
  }));

describe('tasks that are done', () => {
  it('are committed one after another, each after what it depends on', async () => {
    const { cwd, git } = shop();
    const { ends, out, codes } = await done(cwd, [milk, sugar, tea], {
      provider: saying('passed'),
    });
    expect(codes).toEqual(['T-2 0', 'T-3 0', 'T-1 0']);
    expect(ends.every((end) => end.done && end.result?.run.status === 'approved')).toBe(true);
    expect(out.split('\n')).toEqual([
      ...['T-3', 'T-1', 'T-2'].map((id) => `${id}: success (review: passed)`),
      '',
    ]);
    expect(git('log', '--format=%s').split('\n')).toEqual([
      ...['T-2: Do T-2', 'T-1: Do T-1', 'T-3: Do T-3', 'first'],
    ]);
    expect(git('status', '--porcelain', '--', '*.txt')).toBe('');
  });

  it('are not done again, and what depends on them goes on', async () => {
    const { cwd, git } = shop();
    const { record } = runOf(cwd).store.attempts;
    await record(taskAttempt({ taskId: 'T-1', status: 'success', reviewStatus: 'passed' }));
    const { ends, codes } = await done(cwd, [tea, milk]);
    expect(codes).toEqual(['T-1 0', 'T-2 0']);
    expect(ends[0]).toEqual({
      ...{ id: 'T-1', done: true, exitCode: 0, lines: ['T-1: success (review: passed)'] },
    });
    expect(git('log', '--format=%s')).toBe('T-2: Do T-2\nfirst');
    // the list may name only the second
    expect((await done(cwd, [taskOf('T-4', 'T-1')])).codes).toEqual(['T-4 0']);
  });

  it('run side by side in folders of their own, which remain only where a task failed', async () => {
    const { cwd, git } = shop();
    const exec = 'test "$REVIEWLOOP_TASK_ID" != T-3 && cat > "$REVIEWLOOP_TASK_ID.txt"';
    const { ends, codes } = await done(cwd, [tea, sugar], { parallel: 2, settings: { exec } });
    expect(codes).toEqual(['T-1 0', 'T-3 50']);
    expect(git('log', '--format=%s')).toBe('T-1: Do T-1\nfirst');
    const [, folder = ''] = /its work is in (.*)$/m.exec(ends[1]?.lines.join('\n') ?? '') ?? [];
    expect(existsSync(folder)).toBe(true);
    expect(git('worktree', 'list').split('\n')).toHaveLength(2);
  });
});

describe('tasks that are not begun', () => {
  it('name the dependency that is not done, or that waits for an answer as they do [R3-093]', async () => {
    const cwd = await folderOf();
    const { ends } = await done(cwd, [milk]);
    const lines = ['T-2: not run', '  it depends on T-1, which is not done'];
    expect(ends).toEqual([{ id: 'T-2', done: false, exitCode: 50, lines }]);
    const attempts = runOf(cwd).store.attempts;
    await attempts.record(taskAttempt({ taskId: 'T-1', status: 'waiting' }));
    const waits = [lines[0], '  it depends on T-1, which waits for an answer'];
    expect((await done(cwd, [milk])).ends).toMatchObject([{ exitCode: 53, lines: waits }]);
  });

  it('would mix with work that stays in the folder', async () => {
    const { cwd, git } = shop();
    const { ends } = await done(cwd, [tea, sugar], { settings: { commit: false } });
    expect(ends[1]).toMatchObject({
      ...{ exitCode: 50, lines: ['T-3: not run', '  the folder contains the work on T-1'] },
    });
    expect(git('log', '--format=%s')).toBe('first');
  });
});

describe('tasks that fail', () => {
  it('are set aside, and the next one goes on in a clean folder', async () => {
    const { cwd, git } = shop();
    const settings = { testCommand: 'test ! -e T-1.txt' };
    const { ends, codes } = await done(cwd, [tea, milk, sugar], { settings });
    expect(codes).toEqual(['T-1 50', 'T-2 50', 'T-3 0']);
    expect(ends[0]?.aside).toMatch(/set-aside\/T-1-\w+\.patch$/);
    expect(ends[0]?.lines.join('\n')).toContain(`set aside: git apply ${ends[0]?.aside}`);
    expect(ends[2]).not.toHaveProperty('aside');
    expect(git('log', '--format=%s')).toBe('T-3: Do T-3\nfirst');
  });

  it('say what broke, and that they were cancelled', async () => {
    const cwd = await folderOf();
    const { ends, out } = await done(cwd, [tea, sugar]);
    expect(ends.map(({ exitCode, lines: [line] }) => [exitCode, line])).toEqual([
      [1, 'T-1: failed'],
      [1, 'T-3: failed'],
    ]);
    expect(out).toMatch(/^T-1: failed\n {2}.*not a git repository/i);
    expect(await done(cwd, [tea], { io: { signal: AbortSignal.abort() } })).toMatchObject({
      ends: [{ exitCode: 130, done: false, lines: ['T-1: cancelled'] }],
    });
  });

  it('keep what their reviews have used before, when they go on', async () => {
    const { cwd } = shop();
    const usage = { inputTokens: 900, outputTokens: 100 };
    const prose = scriptedProvider(() => ({ text: 'It is fine.', usage }));
    const settings = { budgetTokens: 40_000 };
    const first = await done(cwd, [tea], { provider: prose, settings });
    expect(first.codes).toEqual(['T-1 50']);
    const spent = first.ends[0]?.result?.attempts[0]?.reviewUsage.totalTokens ?? 0;
    expect(spent).toBeGreaterThan(1000);
    // what was used before is not taken from the budget of this command
    const next = await done(cwd, [tea], {
      ...{ provider: saying('passed', usage), settings: { budgetTokens: 30_000 } },
    });
    expect(next.codes).toEqual(['T-1 0']);
  });
});

describe('what is printed about tasks', () => {
  const failing = { settings: { exec: 'exit 3' } };

  it('are the lines of each end as it comes, without what steers a terminal', async () => {
    const { cwd } = shop();
    const settings = { exec: 'printf "a\\033[2Jb" >&2; exit 3' };
    const { out } = await done(cwd, [tea], { settings });
    expect(out).toMatch(/^T-1: failed\n {2}exhausted, TASK_FAILED: .*\n.*exit code 3: ab\n/);
    expect(out).not.toContain('\u001b');
  });

  it('is one line of progress beside JSON, and none where it is to be quiet', async () => {
    const { cwd } = shop();
    const json = await done(cwd, [tea], { ...failing, format: 'json' });
    expect([json.out, json.err.split('\n').at(-2)]).toEqual(['', 'T-1: failed']);
    expect(await done(cwd, [tea], { ...failing, format: 'json', quiet: true })).toMatchObject({
      ...{ out: '', err: '' },
    });
  });

  it('comes at the end where the screen shows all tasks', async () => {
    const { cwd } = shop();
    const order: string[] = [];
    const io = {
      errColumns: 80,
      live: { show: () => {}, hide: () => void order.push('hidden') },
      out: async (text: string) => void order.push(text),
    };
    await done(cwd, [tea, sugar], { io, tui: true });
    expect(order.slice(-2)).toEqual(
      ['T-1', 'T-3'].map((id) => `${id}: success (review: skipped)\n`),
    );
    expect(order.filter((text) => text !== 'hidden')).toHaveLength(2);
    order.length = 0;
    await done(cwd, [tea], { io, tui: true, format: 'json' });
    expect(order.filter((text) => text !== 'hidden')).toEqual([]);
  });
});

describe('a person who is asked', () => {
  it('answers at the terminal, is named, and sees at once that a wish is worked on [R3-094]', async () => {
    const { cwd, git } = shop();
    const at = screen();
    const given = { io: { terminal: at }, interactive: true, quiet: false, by: 'Bo' };
    const ended = done(cwd, [tea], { ...given, settings: { hitlReview: true } });
    await at.type('[a]pprove', 'f\r');
    await at.type('[a]pprove', 'a\r');
    const { ends, err } = await ended;
    expect(err).toContain('T-1: fixing, then reviewing again\n');
    expect(ends[0]?.result).toMatchObject({
      ...{ success: true, attempts: [{}, { humanDecision: 'approve', decidedBy: 'Bo' }] },
    });
    expect(git('log', '-1', '--format=%s')).toBe('T-1: Do T-1');
  });

  it('is waited for where nobody can be asked, and the work stays', async () => {
    const { cwd } = shop();
    const settings = { hitlReview: true };
    for (const given of [{ interactive: true }, { io: { terminal: screen() } }]) {
      const { ends } = await done(cwd, [tea], { ...given, settings });
      expect(ends[0]).toMatchObject({ exitCode: 53, done: false });
      expect(existsSync(join(cwd, 'T-1.txt'))).toBe(true);
    }
  });
});

/** A task that waits for an answer, or ended. */
async function asked(settings: Parameters<typeof runOf>[1] = {}) {
  const made = shop();
  const run = runOf(made.cwd, { settings: { hitlReview: true }, ...settings });
  await run.store.prepare();
  const tasks = [taskOf('T-1')];
  const { io } = streams(made.cwd);
  await new TaskWorker(io, run, { root: made.cwd, provider: undefined, tasks }).all(tasks);
  const answer = async (kind: HumanAnswerKind, more: object = {}) => {
    const { io: at, written } = streams(made.cwd);
    const call = { io: at, entry: new URL(import.meta.url), store: run.store };
    const code = await answerRun(call, {
      ...{ id: 'T-1', answer: kind, by: 'Ada', reason: undefined, question: undefined },
      ...{ format: 'text', quiet: true, report: [], ...more },
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
    const [first, second, third] = out.split('\n');
    expect([code, first]).toEqual([51, 'T-1: failed  (review: rejected)']);
    expect(second).toBe('  rejected, REVIEW_REJECTED: Review rejected by human');
    expect(third).toMatch(/^ {2}its changes are set aside: git apply \S+\.patch$/);
    expect(existsSync(join(rejected.cwd, 'T-1.txt'))).toBe(false);
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
    await expect(answer('approve')).rejects.toMatchObject({ code: 'answer_not_allowed' });
    write('mine.txt', 'mine\n');
    const override = (reason = 'a hotfix') => answer('override', { reason });
    await expect(override()).rejects.toMatchObject({
      ...{ code: 'usage', message: expect.stringContaining('uncommitted changes') as string },
    });
    git('stash', '-qu');
    expect(await override()).toMatchObject({
      ...{ code: 0, out: 'T-1: success (review: passed)\n' },
    });
    expect(git('show', '--format=%s', '--name-only')).toBe('T-1: Do T-1\n\nT-1.txt');
    await expect(override('again')).rejects.toMatchObject({ code: 'request_unknown' });
  });

  it('is not gone on with after commits of others', async () => {
    const { answer, git, write, commit } = await asked(failing);
    write('mine.txt', 'mine\n');
    commit('my own work');
    const late = answer('override', { reason: 'a hotfix' });
    await expect(late).rejects.toMatchObject({ code: 'request_stale' });
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
  const approve = () => answer('approve', { reason: 'seen' });
  const both = await Promise.allSettled([approve(), approve()]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'workspace_busy' },
  });
});
