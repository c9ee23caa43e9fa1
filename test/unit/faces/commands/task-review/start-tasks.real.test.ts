import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fileAttempts } from '@/adapters/stores/file/index.js';
import type { Io } from '@/faces/cli-kit/io.js';
import { buildTaskReview } from '@/faces/commands/task-review/build-task-review.js';
import { startTasks } from '@/faces/commands/task-review/run-tasks.js';
import { readTask } from '@/faces/commands/task-review/task-record.js';
import { TaskSpending } from '@/faces/commands/task-review/task-worker.js';
import { folderFiles } from '@/node/store-file.js';
import { scriptedProvider } from '@/testing/index.js';
import { callIn, streams } from '../../../../support/command-streams.js';
import { screen } from '../../../../support/screen.js';
import { project, reviewOf, task } from '../../../products/task-review/support.js';
import { folderOf, runCli } from '../../cli/harness.js';
import { begun, inTurn, runOf } from './task-place.js';
import { reviewer, run, shop } from './task-shop.js';

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
    structured: undefined,
  },
  providerEnv: [],
  ...{ format: 'text', reporter: undefined, quiet: false, store: 'file:.reviewloop' },
};
const one = { task: ['TASK-001'] };

async function started(cwd: string, more: Partial<Given>, io: Partial<Io> = {}) {
  const { io: at, written } = streams(cwd, io);
  return { code: await startTasks(callIn(at), { ...given, ...more }), ...written };
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
    // a person reviews
    const required = { ...one, reviewPolicy: 'required', hitlReview: true } as const;
    await (await refused(cwd, required)).toMatchObject({ code: 'not_a_repository' });
  });

  it('refuses a report that cannot be written', async () => {
    const cwd = await folderOf({ 'tasks.md': '## TASK-001: a\n' });
    await (await refused(cwd, { ...one, report: ['pdf=a.pdf'] })).toMatchObject({ code: 'usage' });
  });
});

describe('the settings of tasks', () => {
  const executor = {
    ...{ exec: 'echo done > "$REVIEWLOOP_TASK_ID.txt"', test_command: 'true' },
    ...{ lint_command: 'true', max_attempts: 2, review_policy: 'advisory' },
    ...{ review_roles: ['docs'], diff_bytes: 500 },
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
    (await readTask(folderFiles(join(cwd, '.reviewloop')), 'TASK-001'))?.settings;

  it('are those of the configuration, unless options say something else', async () => {
    const { cwd } = withConfig();
    expect((await started(cwd, { ...one, exec: undefined })).code).toBe(0);
    expect(await settingsIn(cwd)).toMatchObject({
      ...{ exec: executor.exec, testCommand: 'true', lintCommand: 'true', attempts: 2 },
      learn: true,
      ...{ roles: ['docs'], diffBytes: 500, budgetTokens: 5000, budgetUsd: 2, template: 'Hello' },
      ...{ allowUnseen: ['.png'], reviewPolicy: 'advisory', hitlReview: false },
    });
    const other = withConfig();
    const flags = {
      ...{ exec: given.exec, testCommand: 'test 1', lintCommand: 'test 2', attempts: 4 },
      ...{ budgetTokens: 7000, budgetUsd: 3, reviewPolicy: 'advisory' as const },
    };
    const roles = ' quality , testing';
    await started(other.cwd, { ...one, ...flags, roles, config: 'other.json' });
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
    const { tasks, ...about } = JSON.parse(out) as { tasks: Record<string, unknown>[] };
    expect(about).toMatchObject({ schemaVersion: 1, exitCode: 50 });
    expect(tasks).toMatchObject([
      { id: 'TASK-001', done: false, exitCode: 50 },
      { id: 'TASK-002', done: false, exitCode: 50 },
      { id: 'TASK-003', done: true, exitCode: 0 },
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
    const { cwd, git } = shop();
    const { code, err } = await started(cwd, { ...asking, ...more, review: false }, io);
    expect(git('log', '--format=%s')).toBe(code === 0 ? 'TASK-001: Add tea\nfirst' : 'first');
    return [code, err.split('\n')[0]];
  };

  it('is missed in parallel, beside a screen, and without a terminal: tasks wait unless the question is ignored by name [R3-093, P4-40, P4-41, D002-11, R2-128]', async () => {
    const then = ': no prompt appears, and each task waits for `reviewloop answer`';
    const parallel = '--hitl-review ignored in parallel mode (interactive prompts not supported)';
    const tui = '--hitl-review ignored in TUI mode (TUI owns the screen)';
    const none = '--hitl-review has no terminal to ask at';
    expect(await warning({ parallel: 2, tui: true })).toEqual([53, parallel + then]);
    expect(await warning({ tui: true }, { terminal: screen() })).toEqual([53, tui + then]);
    expect(await warning({})).toEqual([53, none + then]);
    const ignoring = { hitlUnattended: 'ignore' } as const;
    expect(await warning({ ...ignoring, parallel: 2 })).toEqual([0, parallel]);
    expect(await warning({ ...ignoring, tui: true })).toEqual([0, tui]);
    expect(await warning(ignoring)).toEqual([0, none]);
  });

  it('is asked at the terminal, under the name that is given', async () => {
    const { cwd } = shop();
    const at = screen();
    const ended = started(cwd, { ...asking, by: 'Bo' }, { terminal: at });
    await at.type('[a]pprove', 'r\r');
    await at.type('Reason (optional):', '\r');
    expect((await ended).code).toBe(51);
    expect(await fileAttempts(join(cwd, '.reviewloop/attempts')).last('TASK-001')).toMatchObject({
      ...{ humanDecision: 'reject', decidedBy: 'Bo' },
    });
  });
});

const none = { budgetTokens: undefined, budgetUsd: undefined };

it('money that execute reports ends the attempts [R2-062]', async () => {
  const repository = project();
  const attempts: number[] = [];
  const { review } = reviewOf(repository, [], {
    budget: { costUsd: 1 },
    maxAttempts: 9,
    execute: async (_, { reportUsage, attempt }) => {
      attempts.push(attempt);
      reportUsage({ costUsd: 0.75 });
      repository.write('api.js', `exports.value = 0; // ${attempt}\n`);
    },
  });
  expect(await review.run(task)).toMatchObject({
    success: false,
    run: { status: 'exhausted', code: 'budget_cost' },
    error: expect.stringContaining('cost budget 1 USD exceeded'),
  });
  expect(attempts).toEqual([1, 2]);
});

describe('the budget of a command', () => {
  it('tasks after a used-up budget are not begun [R2-062, R2-129, P4-51]', async () => {
    const { cwd, git } = shop();
    const { server, flags } = await reviewer(() => 'passed');
    const limited = [...run, '--all', ...flags, '--budget-tokens', '10000'];
    const { out, code } = await runCli(cwd, limited);
    expect(code).toBe(50);
    expect(out).toContain('TASK-001: success (review: passed)');
    expect(out).toMatch(
      /TASK-003: not run\n {2}the budget of this command is used up \(--budget-tokens 10000\)/,
    );
    expect(server.seen).toHaveLength(1);
    expect(git('log', '--format=%s')).toContain('TASK-001: Add tea');
    const spent = await runCli(cwd, [...run, '--all', ...flags, '--budget-tokens', '500']);
    expect(spent.out).toMatch(/token budget 500 exceeded: 0 used, \d+ reserved/);
    expect(spent.code).toBe(50);
    const calls = server.seen.length;
    expect((await runCli(cwd, [...run, '--all', ...flags])).code).toBe(0);
    expect(server.seen.length).toBeGreaterThan(calls);
    await server.close();
  });

  it('is shared by what runs at a time, and never spent twice', () => {
    const spending = new TaskSpending({ ...none, budgetTokens: 1000 }, 2);
    const first = spending.allot({});
    const second = spending.allot({ totalTokens: 40 });
    expect(first.budget).toEqual({ tokens: 500 });
    expect(second.budget).toEqual({ tokens: 540 });
    expect(spending.exhausted).toBe('--budget-tokens 1000');
    first.settle({ totalTokens: 100 });
    expect(spending.exhausted).toBeUndefined();
    expect(spending.allot({}).budget).toEqual({ tokens: 400 });
    second.settle({ totalTokens: 540 });
    expect(spending.exhausted).toBe('--budget-tokens 1000');
  });

  it('counts money the same way, and is none without an option', () => {
    const spending = new TaskSpending({ ...none, budgetUsd: 2 }, 1);
    const first = spending.allot({ costUsd: 1 });
    expect(first.budget).toEqual({ costUsd: 3 });
    first.settle({ costUsd: 3 });
    expect(spending.exhausted).toBe('--budget-usd 2');
    expect(new TaskSpending(none, 1).allot({}).budget).toBeUndefined();
  });
});

async function reviewed(
  settings: NonNullable<Parameters<typeof runOf>[1]>['settings'],
  {
    given = {},
    answers,
    ...more
  }: {
    readonly given?: object;
    readonly answers?: readonly string[];
    readonly budget?: { readonly tokens: number };
  } = {},
) {
  const made = shop();
  const run = runOf(made.cwd, { settings: settings ?? {} });
  await run.store.prepare();
  const record = await begun('T-1', run, made.cwd);
  const provider = answers === undefined ? undefined : scriptedProvider(answers);
  const review = await buildTaskReview(record, { store: run.store, provider, inTurn, ...more });
  const result = await review.run({ ...record.task, ...given }, { runId: record.runId });
  return { ...made, result, provider, store: join(made.cwd, '.reviewloop') };
}
const verdict = (name: string): string =>
  JSON.stringify({ verdict: name, reason: 'r', issues: [] });

describe('the command that does a task', () => {
  it('reads the task, and its id, name and attempt from the environment', async () => {
    vi.stubEnv('TEA_KIND', 'green');
    vi.stubEnv('TEA_SECRET', 'hidden');
    const exec =
      'cat > T-1.txt; echo "$REVIEWLOOP_TASK_ID|$REVIEWLOOP_TASK_NAME|$REVIEWLOOP_ATTEMPT|$REVIEWLOOP_PREVIOUS_ERROR|$TEA_KIND|$TEA_SECRET" >> T-1.txt';
    const checklist = [
      { text: 'water', done: true },
      { text: 'leaves', done: false },
    ];
    const { git, result } = await reviewed(
      { exec, allowEnv: ['TEA_KIND'] },
      { given: { description: 'In a pot.', checklist } },
    );
    vi.unstubAllEnvs();
    expect(result).toMatchObject({ success: true, reviewStatus: 'skipped' });
    expect(git('show', 'HEAD:T-1.txt')).toBe(
      '# T-1: Do T-1\n\nIn a pot.\n\n- [x] water\n- [ ] leaves\nT-1|Do T-1|1||green|',
    );
  });

  it('is told what failed before, without secrets and without what steers a terminal', async () => {
    const key = `ghp_${'a1B2c3'.repeat(6)}`;
    const { git } = await reviewed({
      attempts: 2,
      exec: 'cat > T-1.txt; printf "%s" "$REVIEWLOOP_PREVIOUS_ERROR" > told.txt',
      testCommand: `grep -q Previous T-1.txt || { printf 'no \\033[2J${key}' >&2; exit 1; }`,
    });
    expect(git('show', 'HEAD:T-1.txt')).toMatch(/^# T-1: Do T-1\n\n## Previous error\n\ntests: /);
    const told = git('show', 'HEAD:told.txt');
    expect(told).toContain('REDACTED');
    for (const text of [key, '\u001b']) expect(told).not.toContain(text);
  });

  it('has failed with its exit code and the end of what it wrote', async () => {
    const failed = async (exec: string) => (await reviewed({ exec })).result;
    expect(await failed('echo out; echo err >&2; exit 3')).toMatchObject({
      ...{ success: false, code: 'TASK_FAILED' },
      reviewFindings: 'execution: the command ended with exit code 3: err',
    });
    expect((await failed('echo out; exit 4')).reviewFindings).toContain('exit code 4: out');
    expect((await failed('kill -9 $$')).reviewFindings).toContain('exit code SIGKILL');
    const long = (await failed(`printf 'a%.0s' $(seq 900); exit 1`)).reviewFindings ?? '';
    expect(long.replace(/^[^:]*:[^:]*: /, '')).toBe('a'.repeat(500));
  });
});

describe('what decides about the work', () => {
  it('are tests and linter in the folder', async () => {
    const { result, git } = await reviewed({
      testCommand: 'test -e T-1.txt && echo 3 passed',
      lintCommand: 'test -e do.sh',
    });
    expect(result.run.reviews[0]?.assessments.map(({ criterion }) => criterion)).toEqual([
      ...['execution', 'tests', 'lint', 'review'],
    ]);
    expect(git('log', '-1', '--format=%s')).toBe('T-1: Do T-1');
    const lint = await reviewed({ lintCommand: 'false' });
    expect(lint.result).toMatchObject({ success: false, code: 'LINT_FAILED' });
  });

  it('is a model with the roles, the template and the limits of the settings', async () => {
    const { result, provider } = await reviewed(
      { roles: ['docs', 'testing'], template: 'Our words about {{TASK_ID}}' },
      { answers: [verdict('passed'), verdict('passed')] },
    );
    expect(result).toMatchObject({ success: true, reviewStatus: 'passed' });
    expect(provider?.requests).toHaveLength(2);
    expect(provider?.requests[0]?.messages[0]?.content).toMatch(/^Our words about T-1/);
    const exec = 'printf "a line of tea\\n%.0s" $(seq 100) > T-1.txt; printf "\\0" > a.bin';
    const part = await reviewed({ exec, diffBytes: 300 }, { answers: [verdict('passed')] });
    expect(part.result.run.reason).toContain('not text: a.bin');
    const cut = await reviewed(
      { exec, diffBytes: 300, allowUnseen: ['.bin'] },
      { answers: [verdict('passed')] },
    );
    expect(cut.result.run.reason).toContain('(diffBytes: 300)');
  });

  it('is no model that is disabled, and failed reviews block where they are required', async () => {
    const off = await reviewed({ review: false }, { answers: [] });
    expect(off.result).toMatchObject({ success: true, reviewStatus: 'skipped' });
    const answers = [verdict('failed')];
    expect((await reviewed({}, { answers })).result).toMatchObject({ success: true });
    expect((await reviewed({ reviewPolicy: 'required' }, { answers })).result).toMatchObject({
      ...{ success: false, code: 'REVIEW_FAILED' },
    });
  });

  it('may cost what the settings allow, unless less is left', async () => {
    const answers = [verdict('passed')];
    const short = await reviewed({ budgetTokens: 50 }, { answers });
    expect(short.result).toMatchObject({ code: 'REVIEW_NOT_RUN', run: { code: 'budget_tokens' } });
    expect(short.provider?.requests).toEqual([]);
    const left = await reviewed({ budgetTokens: 50_000 }, { answers, budget: { tokens: 50 } });
    expect(left.result.run.code).toBe('budget_tokens');
    expect((await reviewed({ budgetTokens: 50_000 }, { answers })).result.success).toBe(true);
  });
});

describe('what remains of the work', () => {
  it('is a commit, unless none is wanted', async () => {
    const { git, cwd } = await reviewed({ commit: false });
    expect(git('log', '--format=%s')).toBe('first');
    expect(existsSync(join(cwd, 'T-1.txt'))).toBe(true);
  });

  it('are attempts, a journal, snapshots and lessons in the store', async () => {
    const { store } = await reviewed({ learn: true, testCommand: 'false' });
    const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
    for (const place of [/^attempts\/.*\.json$/, /^workspaces\/[0-9a-f]{16}\//, /^lessons\.jsonl$/])
      expect(
        names.some((name) => place.test(name)),
        String(place),
      ).toBe(true);
    expect(readFileSync(join(store, 'lessons.jsonl'), 'utf8')).not.toBe('');
    const plain = await reviewed({ testCommand: 'false' });
    expect(existsSync(join(plain.store, 'lessons.jsonl'))).toBe(false);
  });
});

describe('a command that checks a task', () => {
  const away = 'cp tea.txt kept; echo fine > tea.txt';
  it.each([
    ['--test-command', `${away}; grep -q fine tea.txt && mv kept tea.txt`],
    ['--test-command', `${away}; mv kept tea.txt`],
    ['--test-command', 'echo fine > tea.txt'],
  ])('has no result if the files changed while it ran: %s %s [R3-117]', async (flag, line) => {
    const made = shop('echo green > tea.txt\n');
    const { code, out, err } = await runCli(made.cwd, [
      ...['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh', '--task', 'TASK-001'],
      ...['--no-review', '--attempts', '1', flag, line],
    ]);
    expect(code, out + err).not.toBe(0);
    expect(out).toMatch(/tea\.txt changed while tests ran, so its result does not count/);
    expect(made.git('log', '--format=%s')).toBe('first');
  });
});
