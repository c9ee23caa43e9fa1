import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { prepareRuns } from '../../../../src/cli-kit/run-stores.js';
import { buildTaskReview } from '../../../../src/task-review/command/build-task-review.js';
import { scriptedProvider } from '../../../../src/testing/index.js';
import { runCli } from '../../cli/harness.js';
import { begun, inTurn, runOf } from './task-place.js';
import { shop } from './task-shop.js';

/** Reviews a task as the command does. */
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
  await prepareRuns(run.store);
  const record = await begun('T-1', run, made.cwd);
  const provider = answers === undefined ? undefined : scriptedProvider(answers);
  const review = buildTaskReview(record, { store: run.store, provider, inTurn, ...more });
  const result = await review.run({ ...record.task, ...given }, { runId: record.runId });
  return { ...made, result, provider, store: run.store };
}
const verdict = (name: string): string =>
  JSON.stringify({ verdict: name, reason: 'r', issues: [] });

describe('the command that does a task', () => {
  it('reads the task, and its id, name and attempt from the environment', async () => {
    vi.stubEnv('TEA_KIND', 'green');
    vi.stubEnv('TEA_SECRET', 'hidden');
    const exec =
      'cat > T-1.txt; echo "$REVIEWLOOP_TASK_ID|$REVIEWLOOP_TASK_NAME|$REVIEWLOOP_ATTEMPT|$REVIEWLOOP_PREVIOUS_ERROR|$TEA_KIND|$TEA_SECRET" >> T-1.txt';
    const { git, result } = await reviewed(
      { exec, allowEnv: ['TEA_KIND'] },
      {
        given: {
          description: 'In a pot.',
          checklist: [
            { text: 'water', done: true },
            { text: 'leaves', done: false },
          ],
        },
      },
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
    expect((await reviewed({ budgetTokens: 50 }, { answers })).result.run.code).toBe(
      'budget_tokens',
    );
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
