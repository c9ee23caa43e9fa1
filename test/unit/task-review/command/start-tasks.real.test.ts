import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Io } from '../../../../src/cli-kit/io.js';
import { showTaskStatus } from '../../../../src/task-review/command/show-task-status.js';
import { startTasks } from '../../../../src/task-review/command/start-tasks.js';
import { attemptsIn, readTask } from '../../../../src/task-review/command/task-record.js';
import { streams } from '../../../support/command-streams.js';
import { screen } from '../../../support/screen.js';
import { taskAttempt } from '../../../support/task-attempt.js';
import { folderOf } from '../../cli/harness.js';
import { shop } from './task-shop.js';

type Given = Parameters<typeof startTasks>[1];

/** What the command line passes on where nothing but the list and the command is given. */
const given: Given = {
  ...{ tasks: 'tasks.md', all: false, task: [], exec: 'cat > "$REVIEWLOOP_TASK_ID.txt"' },
  ...{ reviewPolicy: undefined, roles: undefined, hitlUnattended: 'suspend', attempts: undefined },
  ...{ parallel: 1, anew: false, tui: false, by: undefined, config: undefined, report: [] },
  ...{ testCommand: undefined, lintCommand: undefined, review: true, hitlReview: false },
  ...{ commit: true, timeout: 3600, budgetTokens: undefined, budgetUsd: undefined, allowEnv: [] },
  ...{
    provider: undefined,
    model: undefined,
    baseUrl: undefined,
    contextTokens: undefined,
    providerEnv: [],
  },
  ...{ format: 'text', reporter: undefined, quiet: false, store: 'file:.reviewloop' },
};
const one = { task: ['TASK-001'] };

async function started(cwd: string, more: Partial<Given>, io: Partial<Io> = {}) {
  const { io: at, written } = streams(cwd, io);
  return { code: await startTasks(at, { ...given, ...more }), ...written };
}
const refused = async (cwd: string, more: Partial<Given>) =>
  expect(started(cwd, more), JSON.stringify(more)).rejects;

describe('tasks run, before any work', () => {
  it('takes either names or all, and a list that can be done', async () => {
    const cwd = await folderOf({ 'tasks.md': '## TASK-001: a\n## TASK-002: b\n' });
    for (const more of [{}, { all: true, ...one }])
      await (await refused(cwd, more)).toMatchObject({ code: 'usage' });
    await (await refused(cwd, { ...one, tasks: 'gone.md' })).toMatchObject({
      code: 'file_unreadable',
    });
    await (await refused(cwd, { task: ['TASK-001', 'TASK-9'] })).toMatchObject({
      ...{ code: 'task_unknown', value: 'TASK-9' },
      message: expect.stringContaining('TASK-001, TASK-002') as string,
    });
    await (await refused(cwd, one)).toMatchObject({ code: 'not_a_repository', value: cwd });
    expect(existsSync(join(cwd, '.reviewloop'))).toBe(false);
  });

  it('commits the work of several tasks one by one', async () => {
    const cwd = await folderOf({ 'tasks.md': '## TASK-001: a\n' });
    for (const more of [{ all: true }, { task: ['A-1', 'A-2'] }, { ...one, parallel: 2 }])
      await (await refused(cwd, { ...more, commit: false })).toMatchObject({
        ...{ code: 'usage', message: expect.stringContaining('--no-commit') as string },
      });
  });

  it('needs a command, options that fit, and somebody for a review that is required', async () => {
    const cwd = await folderOf({ 'tasks.md': '## TASK-001: a\n' });
    for (const exec of [undefined, '', '  '])
      await (await refused(cwd, { ...one, exec })).toMatchObject({
        ...{ code: 'usage', message: expect.stringContaining('--exec') as string },
      });
    await (await refused(cwd, { ...one, roles: 'docs, boss' })).toMatchObject({
      ...{ code: 'usage', message: expect.stringMatching(/invalid options: roles\.1: /) as string },
    });
    const required = { ...one, reviewPolicy: 'required' } as const;
    await (await refused(cwd, required)).toMatchObject({
      ...{ code: 'invalid_options', message: expect.not.stringContaining('--no-review') as string },
    });
    await (await refused(cwd, { ...required, review: false })).toMatchObject({
      message: expect.stringContaining('--provider without --no-review') as string,
    });
    // a person reviews
    await (await refused(cwd, { ...required, hitlReview: true })).toMatchObject({
      code: 'not_a_repository',
    });
  });

  it('refuses a report that cannot be written', async () => {
    const cwd = await folderOf({ 'tasks.md': '## TASK-001: a\n' });
    await (await refused(cwd, { ...one, report: ['pdf=a.pdf'] })).toMatchObject({ code: 'usage' });
  });
});

describe('the settings of tasks', () => {
  const executor = {
    ...{
      exec: 'echo done > "$REVIEWLOOP_TASK_ID.txt"',
      test_command: 'true',
      lint_command: 'true',
    },
    ...{ max_attempts: 2, review_policy: 'advisory', review_roles: ['docs'], diff_bytes: 500 },
    ...{ budget_tokens: 5000, budget_usd: 2, allow_unseen: ['.png'], review_template: 'Hello' },
  };
  const withConfig = () => {
    const made = shop();
    made.write('reviewloop.config.json', JSON.stringify({ executor, learn: true }));
    made.write('other.json', JSON.stringify({ executor: { ...executor, max_attempts: 7 } }));
    made.commit('configuration');
    return made;
  };
  const settingsIn = async (cwd: string) =>
    (await readTask(join(cwd, '.reviewloop'), 'TASK-001'))?.settings;

  it('are those of the configuration, unless options say something else', async () => {
    const { cwd } = withConfig();
    expect((await started(cwd, { ...one, exec: undefined })).code).toBe(0);
    expect(await settingsIn(cwd)).toMatchObject({
      ...{
        exec: executor.exec,
        testCommand: 'true',
        lintCommand: 'true',
        attempts: 2,
        learn: true,
      },
      ...{ roles: ['docs'], diffBytes: 500, budgetTokens: 5000, budgetUsd: 2, template: 'Hello' },
      ...{ allowUnseen: ['.png'], reviewPolicy: 'advisory', hitlReview: false },
    });
    const other = withConfig();
    const flags = {
      ...{ exec: given.exec, testCommand: 'test 1', lintCommand: 'test 2', attempts: 4 },
      ...{ budgetTokens: 7000, budgetUsd: 3, reviewPolicy: 'advisory' as const },
    };
    await started(other.cwd, {
      ...one,
      ...flags,
      roles: ' quality , testing',
      config: 'other.json',
    });
    expect(await settingsIn(other.cwd)).toMatchObject({ ...flags, roles: ['quality', 'testing'] });
  });

  it('have defaults without a configuration', async () => {
    const { cwd } = withConfig();
    expect((await started(cwd, { ...one, config: false })).code).toBe(0);
    const settings = await settingsIn(cwd);
    expect(settings).toMatchObject({ attempts: 3, reviewPolicy: 'advisory', learn: false });
    expect(settings?.testCommand).toBeUndefined();
    const named = withConfig();
    await started(named.cwd, { ...one, exec: undefined, config: 'other.json' });
    expect(await settingsIn(named.cwd)).toMatchObject({ attempts: 7 });
  });
});

describe('the end of tasks', () => {
  it('is the worst exit code, with every task in JSON', async () => {
    const { cwd } = shop();
    const exec = 'test "$REVIEWLOOP_TASK_ID" = TASK-003 && echo x > x.txt';
    const { code, out } = await started(cwd, { all: true, exec, format: 'json', attempts: 1 });
    expect(code).toBe(50);
    const { schemaVersion, exitCode, tasks } = JSON.parse(out) as {
      schemaVersion: number;
      exitCode: number;
      tasks: Record<string, unknown>[];
    };
    expect([schemaVersion, exitCode]).toEqual([1, 50]);
    expect(tasks.map(({ id, done, exitCode: own }) => [id, done, own])).toEqual([
      ...[
        ['TASK-001', false, 50],
        ['TASK-002', false, 50],
        ['TASK-003', true, 0],
      ],
    ]);
    expect(tasks[0]).toMatchObject({ code: 'TASK_FAILED', run: { status: 'exhausted' } });
    expect(tasks[1]).not.toHaveProperty('lines');
  });

  it('says that nobody reviews, unless that is wanted', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    const warned = async (more: Partial<Given>) =>
      (await started(shop().cwd, { ...one, ...more })).err.includes('the code is not reviewed');
    expect(await warned({})).toBe(true);
    expect(await warned({ review: false })).toBe(false);
    expect(await warned({ quiet: true })).toBe(false);
    vi.unstubAllEnvs();
  });

  it('has the command that does a failed task again, as the shell takes it', async () => {
    const { cwd } = shop();
    const { out } = await started(cwd, { all: true, exec: 'exit 3', attempts: 1, anew: true });
    expect(out).toContain(
      "next: reviewloop tasks run --tasks tasks.md --task TASK-003 --exec 'exit 3' --attempts 1 # ",
    );
  });

  it('writes the reports that are asked for', async () => {
    const { cwd, write } = shop();
    write('.git/info/exclude', 'out\n');
    expect((await started(cwd, { ...one, report: ['junit=out/r.xml'] })).code).toBe(0);
    expect(existsSync(join(cwd, 'out/r.xml'))).toBe(true);
  });
});

describe('a person for tasks', () => {
  const asking = { ...one, hitlReview: true };
  const warning = async (more: Partial<Given>, io: Partial<Io> = {}) => {
    const { code, err } = await started(shop().cwd, { ...asking, ...more, review: false }, io);
    return [code, err.split('\n')[0]];
  };

  it('is missed in parallel, beside a screen, and without a terminal', async () => {
    const then = '; each task waits for `reviewloop answer`';
    const parallel = '--hitl-review ignored in parallel mode (interactive prompts not supported)';
    const tui = '--hitl-review ignored in TUI mode (TUI owns the screen)';
    const none = '--hitl-review has no terminal to ask at';
    expect(await warning({ parallel: 2, tui: true })).toEqual([53, parallel + then]);
    expect(await warning({ tui: true }, { terminal: screen() })).toEqual([53, tui + then]);
    expect(await warning({})).toEqual([53, none + then]);
    expect(await warning({ hitlUnattended: 'ignore' })).toEqual([0, none]);
  });

  it('is asked at the terminal, under the name that is given', async () => {
    const { cwd } = shop();
    const at = screen();
    const ended = started(cwd, { ...asking, by: 'Bo' }, { terminal: at });
    await at.type('[a]pprove', 'r\r');
    expect((await ended).code).toBe(51);
    expect(await attemptsIn(join(cwd, '.reviewloop')).last('TASK-001')).toMatchObject({
      ...{ humanDecision: 'reject', decidedBy: 'Bo' },
    });
  });
});

it('tasks status prints one line for each task, and all attempts as JSON', async () => {
  const cwd = await folderOf({ 'tasks.md': '## T-1: a\n## T-2: b\n' });
  const { record } = attemptsIn(join(cwd, 'kept'));
  await record(taskAttempt({ taskId: 'T-1', at: '2026-01-01T00:00:00.000Z' }));
  await record(
    taskAttempt({ taskId: 'T-1', attempt: 2, at: '2026-01-02T00:00:00.000Z', status: 'success' }),
  );
  const shown = async (format: 'text' | 'json'): Promise<string> => {
    const { io, written } = streams(cwd);
    expect(
      await showTaskStatus(io, {
        ...{ tasks: 'tasks.md', store: 'file:kept', reporter: undefined, format },
      }),
    ).toBe(0);
    return written.out;
  };
  expect(await shown('text')).toBe('T-1: success\nT-2: pending\n');
  expect(JSON.parse(await shown('json'))).toMatchObject({
    schemaVersion: 1,
    tasks: [
      { id: 'T-1', name: 'a', attempts: [{ attempt: 1 }, { attempt: 2 }] },
      { id: 'T-2', name: 'b', attempts: [] },
    ],
  });
});
