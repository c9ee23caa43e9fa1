import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Repository } from '../../../../support/git-repository.js';
import { ending } from '../../../../support/matchers.js';
import { modelServer, ollamaProtocol } from '../../../../support/model-server.js';
import { runCli } from '../../cli/harness.js';
import { run, shop as shopOf } from './task-shop.js';

/** A repository with a task list, and a command that does a task by writing a file named after it. */
const shop = (
  script = 'cat > "$REVIEWLOOP_TASK_ID.txt"; echo "attempt $REVIEWLOOP_ATTEMPT" >> "$REVIEWLOOP_TASK_ID.txt"\n',
): Repository => shopOf(script);

const base = [...run, '--test-command', 'ls *.txt && echo 3 passed'];
/** Answers the question of a task. */
const answer = (cwd: string, kind: string, by: string, ...more: string[]) =>
  runCli(cwd, ['answer', 'TASK-001', kind, '--by', by, ...more]);
const override = (cwd: string) => answer(cwd, 'override', 'Bo', '--reason', 'a hotfix');

async function reviewer(verdict: (prompt: string) => object) {
  const server = await modelServer(ollamaProtocol, (call) => ({
    kind: 'text',
    text: JSON.stringify(verdict(JSON.stringify(server.seen[call]?.body))),
  }));
  return { server, flags: ['--provider', 'ollama:m', '--base-url', server.url] };
}

describe('reviewloop tasks [R2-086]', () => {
  it('does every task in order, commits each without asking anybody, and tells how they stand [P4-28]', async () => {
    const { cwd, git } = shop();
    const ran = await runCli(cwd, [...base, '--all']);
    expect(ran.err + ran.out).toContain('TASK-001: success (review: skipped)');
    expect(ran.code).toBe(0);
    expect(git('log', '--format=%s').split('\n')).toEqual([
      'TASK-003: Add sugar',
      'TASK-002: Add milk',
      'TASK-001: Add tea',
      'first',
    ]);
    expect(readFileSync(join(cwd, 'TASK-001.txt'), 'utf8')).toContain('- [ ] water');
    const again = await runCli(cwd, [...base, '--all']);
    expect(again.code).toBe(0);
    expect(git('log', '--format=%s').split('\n')).toHaveLength(4);
    const status = await runCli(cwd, ['tasks', 'status', '--tasks', 'tasks.md']);
    expect(status.out).toBe(
      'TASK-001: success (review: skipped)\nTASK-002: success (review: skipped)\nTASK-003: success (review: skipped)\n',
    );
  });

  it('waits where nobody can be asked, and goes on with the answer in another process [D002-11]', async () => {
    const { cwd, git } = shop();
    const ran = await runCli(cwd, [...base, '--task', 'TASK-001', '--hitl-review']);
    expect(ran.err).toContain('no terminal');
    expect(ran.code).toBe(53);
    const id = /reviewloop answer (\S+)/.exec(ran.out)?.[1] ?? '';
    const refused = await runCli(cwd, [
      ...['answer', id, 'revise', '--by', 'Ada', '--reason', 'more milk'],
    ]);
    expect(refused.code).toBe(53);
    expect(readFileSync(join(cwd, 'TASK-001.txt'), 'utf8')).toMatch(/more milk[\s\S]*attempt 2/);
    const done = await runCli(cwd, ['answer', id, 'approve', '--by', 'Ada']);
    expect(done.out).toContain('TASK-001: success (review: passed)');
    expect(done.code).toBe(0);
    expect(git('log', '--format=%s')).toContain('TASK-001: Add tea');
    expect((await runCli(cwd, ['answer', id, 'approve', '--by', 'Ada'])).code).toBe(2);
  });

  it('side by side each task has a folder of its own, and all reach the branch', async () => {
    const { cwd, git } = shop();
    const ran = await runCli(cwd, [...base, '--all', '--parallel', '2']);
    expect(ran.err + ran.out).not.toContain('failed');
    expect(ran.code).toBe(0);
    expect(git('log', '--format=%s').split('\n').sort()).toEqual([
      'TASK-001: Add tea',
      'TASK-002: Add milk',
      'TASK-003: Add sugar',
      'first',
    ]);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('a model reviews over its real protocol; what it fails is shown, and required holds it up', async () => {
    const { cwd, git } = shop();
    const { server, flags } = await reviewer((prompt) => ({
      verdict: prompt.includes('attempt 2') ? 'passed' : 'failed',
      reason: 'thin',
      issues: prompt.includes('attempt 2')
        ? []
        : [{ severity: 'major', text: 'too thin', file: 'TASK-001.txt', line: 1 }],
    }));
    const required = ['--task', 'TASK-001', '--review-policy', 'required'];
    const ran = await runCli(cwd, [...base, ...flags, ...required]);
    await server.close();
    expect(ran.out).toContain('TASK-001: success (review: passed)');
    expect(ran.code).toBe(0);
    expect(git('log', '--format=%s')).toContain('TASK-001');
    const status = ['tasks', 'status', '--tasks', 'tasks.md'];
    expect((await runCli(cwd, status)).out).toBe(
      'TASK-001: success (review: passed)\nTASK-002: pending\nTASK-003: pending\n',
    );
    const told = await runCli(cwd, [...status, '--format', 'json']);
    expect(JSON.parse(told.out)).toEqual({
      schemaVersion: 1,
      tasks: [
        {
          id: 'TASK-001',
          name: 'Add tea',
          attempts: [
            expect.objectContaining({
              reviewStatus: 'failed',
              issues: 1,
              errorCode: 'REVIEW_FAILED',
            }),
            expect.objectContaining({ reviewStatus: 'passed' }),
          ],
        },
        { id: 'TASK-002', name: 'Add milk', attempts: [] },
        { id: 'TASK-003', name: 'Add sugar', attempts: [] },
      ],
    });
  });

  it.each([
    ['on a terminal', { errColumns: 80, outColumns: 80 }, []],
    ['with its own screen', { errColumns: 80, outColumns: 80 }, ['--tui']],
    ['without a terminal', {}, []],
  ] as const)('no status line comes twice: %s [R2-086]', async (_, io, more) => {
    const { cwd } = shop();
    let shown = '';
    await runCli(cwd, [...base, '--all', ...more], {
      ...io,
      err: (text) => {
        shown += text;
      },
      out: async (text) => {
        shown += text;
      },
    });
    // what a terminal shows at the end: a cleared screen or line is gone
    const screenful = shown.split('\u001b[2J\u001b[H').at(-1) ?? '';
    const left = screenful
      .split('\n')
      .map((line) => line.split('\r\u001b[K').at(-1))
      .join('\n');
    for (const id of ['TASK-001', 'TASK-002', 'TASK-003'])
      expect(left.split(`${id}: success`).length - 1, left).toBe(1);
  });

  it('executor.hitl_review of the configuration is off by default, and the option overrides it [P4-29]', async () => {
    const { cwd, write, commit } = shop();
    write(
      'reviewloop.config.json',
      JSON.stringify({ executor: { hitl_review: false, test_command: 'true' } }),
    );
    commit();
    const exec = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh'];
    expect((await runCli(cwd, [...exec, '--task', 'TASK-001'])).code).toBe(0);
    expect((await runCli(cwd, [...exec, '--task', 'TASK-003', '--hitl-review'])).code).toBe(53);
    const { cwd: asking, write: put, commit: keep } = shop();
    put('reviewloop.config.json', JSON.stringify({ executor: { hitl_review: true } }));
    keep();
    expect((await runCli(asking, [...exec, '--task', 'TASK-001'])).code).toBe(53);
  });

  it('a database keeps the attempts with review_status and review_findings [P4-18]', async () => {
    const { cwd, write, commit } = shop();
    write('.gitignore', 'runs.db*\n');
    commit();
    const thin = { verdict: 'failed', reason: 'thin', issues: [] };
    const { server, flags } = await reviewer(() => thin);
    const store = ['--store', 'sqlite:runs.db'];
    const ran = await runCli(cwd, [...base, ...flags, '--task', 'TASK-001', ...store]);
    expect(ran.code).toBe(0);
    await server.close();
    const { default: Database } = await import('libsql');
    const database = new Database(join(cwd, 'runs.db'));
    const query = 'SELECT task_id, review_status, machine_verdict, review_findings FROM attempts';
    expect(database.prepare(query).all()).toMatchObject([
      {
        task_id: 'TASK-001',
        review_status: 'failed',
        machine_verdict: 'failed',
        review_findings: expect.stringContaining('thin'),
      },
    ]);
    database.close();
    const status = await runCli(cwd, ['tasks', 'status', '--tasks', 'tasks.md', ...store]);
    expect(status.out).toContain('TASK-001: success (review: failed)');
  });

  it('--no-review asks no model, although there is one [P4-50]', async () => {
    const { cwd } = shop();
    const { server, flags } = await reviewer(() => ({ verdict: 'failed', reason: '', issues: [] }));
    const ran = await runCli(cwd, [...base, ...flags, '--task', 'TASK-001', '--no-review']);
    expect(ran.code).toBe(0);
    expect(server.seen).toHaveLength(0);
    await server.close();
  });

  it('refuses wrong use, a folder with changes, and lists that cannot be done', async () => {
    const { cwd, write } = shop();
    expect((await runCli(cwd, [...base, '--all', '--parallel', '0'])).code).toBe(2);
    const whole = readFileSync(join(cwd, 'tasks.md'), 'utf8');
    write('tasks.md', `${whole}\nDepends on: TASK-7\n`);
    expect((await runCli(cwd, [...base, '--all'])).err).toContain('TASK-7');
    write('tasks.md', whole);
    write('mine.txt', 'x');
    const dirty = await runCli(cwd, [...base, '--task', 'TASK-001']);
    expect(dirty.out).toContain('uncommitted changes');
    expect(dirty.code).toBe(1);
  });

  it('what was let through and could not be committed is committed by the next call, although the folder was cleaned', async () => {
    const { cwd, git } = shop('echo tea > "$REVIEWLOOP_TASK_ID.txt"\n');
    const hook = join(cwd, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\necho the hook declines; exit 1\n', { mode: 0o755 });
    const declined = await runCli(cwd, [...base, '--task', 'TASK-001']);
    expect(declined.out).toMatch(/COMMIT_FAILED: .*the hook declines/);
    expect(declined.code).toBe(1);
    rmSync(hook);
    git('reset', '-q');
    git('clean', '-fdq', '-e', '.reviewloop');
    expect((await runCli(cwd, [...base, '--task', 'TASK-001'])).code).toBe(0);
    expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\nTASK-001.txt');
    expect(git('log', '--format=%s').split('\n')).toHaveLength(2);
  });

  it('a lock that a killed git has left is named with what to do, never removed, and once it is gone the work is committed', async () => {
    const { cwd, git, write } = shop('echo tea > "$REVIEWLOOP_TASK_ID.txt"\n');
    const lock = join(realpathSync(cwd), '.git/index.lock');
    // a filter that kills the very git that adds the file, which holds the lock then
    write('.git/info/attributes', 'TASK-001.txt filter=deadly\n');
    git('config', 'filter.deadly.clean', 'kill -9 $PPID; cat');
    const killed = await runCli(cwd, [...base, '--task', 'TASK-001']);
    expect(killed).toMatchObject(
      ending(1, /COMMIT_FAILED: the commit failed: git add ended with SIGKILL/),
    );
    git('config', '--unset', 'filter.deadly.clean');
    expect(existsSync(lock)).toBe(true);
    const locked = await runCli(cwd, [...base, '--task', 'TASK-001']);
    expect(locked.code).toBe(1);
    expect(locked.out).toContain(
      `COMMIT_FAILED: the commit failed: git add found the repository locked by ${lock} since 20`,
    );
    expect(locked.out).toMatch(/`pgrep -a git` .*`rm \S+index\.lock` .*\[git_locked\]/);
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    expect((await runCli(cwd, [...base, '--task', 'TASK-001'])).code).toBe(0);
    expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\nTASK-001.txt');
    expect(readFileSync(join(cwd, 'TASK-001.txt'), 'utf8')).toBe('tea\n');
  });

  it('a rejected task is not done again by --all, only by its name; it can be overridden with a reason [P4-43]', async () => {
    const { cwd, git } = shop();
    await runCli(cwd, [...base, '--task', 'TASK-001', '--hitl-review']);
    const given = ['--reason', 'no milk', '--format', 'json'];
    const rejected = await answer(cwd, 'reject', 'Ada', ...given);
    expect(rejected.code).toBe(51);
    expect(JSON.parse(rejected.out)).toMatchObject({
      ...{ schemaVersion: 1, id: 'TASK-001', done: false, exitCode: 51 },
      ...{ run: { status: 'rejected' }, code: 'REVIEW_REJECTED', success: false },
      aside: expect.stringMatching(/\.patch$/) as string,
      attempts: [{ humanDecision: 'reject', decidedBy: 'Ada', decisionReason: 'no milk' }],
    });
    expect((await override(cwd)).out).toContain('TASK-001: success (review: passed)');
    expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\nTASK-001.txt');
    const again = await override(cwd);
    expect(again.code).toBe(2);
    expect(again.err).toContain('asks no question');
  });

  it('what is overridden is what came back, although it was not the last attempt', async () => {
    const { cwd, git } = shop();
    const test = 'grep -q "attempt 1" *.txt && exit 3 || exit 4';
    const more = ['--test-command', test, '--task', 'TASK-001', '--attempts', '2'];
    expect((await runCli(cwd, [...run, ...more])).code).toBe(50);
    expect((await override(cwd)).out).toContain('TASK-001: success');
    expect(git('log', '--format=%s')).toContain('TASK-001: Add tea');
  });

  it('revise without a reason hands over what the review found, without what controls a terminal [P4-37, R2-078]', async () => {
    const { cwd } = shop(
      'cat > "$REVIEWLOOP_TASK_ID.txt"; echo "$REVIEWLOOP_PREVIOUS_ERROR" > told.txt\n',
    );
    const { server, flags } = await reviewer(() => ({
      verdict: 'failed',
      reason: 'thin',
      issues: [
        {
          ...{ severity: 'major', file: 'TASK-001.txt', line: 1 },
          text: `too thin \u001b[31m\u001b]0;title\u0007\u202e ghp_${'a1B2c3'.repeat(6)}`,
        },
      ],
    }));
    await runCli(cwd, [...base, ...flags, '--task', 'TASK-001', '--hitl-review']);
    expect((await runCli(cwd, ['answer', 'TASK-001', 'revise', '--by', 'Ada'])).code).toBe(53);
    await server.close();
    expect(readFileSync(join(cwd, 'told.txt'), 'utf8')).toMatch(
      /^Fix requested\. Review findings:\n[\s\S]*too thin {1,2}\[REDACTED:github\]/,
    );
  });

  it('the configuration names command, linter, reviewers and template; what fails leaves the folder to the next task [R2-063]', async () => {
    const { cwd, write, commit } = shop();
    const executor = {
      ...{ exec: 'sh do.sh', lint_command: 'true', review_roles: ['quality', 'docs'] },
      review_template: 'Our own words about {{TASK_ID}}',
      ...{ review_policy: 'required', max_attempts: 1 },
    };
    write('own.json', JSON.stringify({ executor }));
    commit();
    const { server, flags } = await reviewer((prompt) => ({
      verdict: prompt.includes('Docs:') ? 'failed' : 'passed',
      reason: 'as it is',
      issues: [],
    }));
    const ran = await runCli(cwd, [
      ...['tasks', 'run', '--tasks', 'tasks.md', '--all', '-c', 'own.json', ...flags],
      ...['--format', 'json', '-q'],
    ]);
    await server.close();
    expect(server.seen).toHaveLength(4);
    expect(JSON.stringify(server.seen[0]?.body)).toContain('Our own words about TASK-001');
    expect(ran).toMatchObject({ code: 50, err: '' });
    expect(JSON.parse(ran.out)).toMatchObject({
      schemaVersion: 1,
      exitCode: 50,
      tasks: [
        {
          id: 'TASK-001',
          exitCode: 50,
          code: 'REVIEW_FAILED',
          reviewFindings: expect.stringContaining('=== DOCS REVIEW ==='),
          aside: expect.stringMatching(/TASK-001-\w+\.patch$/),
        },
        { id: 'TASK-002', done: false },
        { id: 'TASK-003', done: false, code: 'REVIEW_FAILED' },
      ],
    });
    const bare = ['tasks', 'run', '--tasks', 'tasks.md', '--all', '--no-config'];
    expect((await runCli(cwd, bare)).err).toContain('--exec');
  });
});
