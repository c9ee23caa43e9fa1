import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqliteStore } from '@/stores/sqlite/index.js';
import { newRepository } from '../support/git-repository.js';
import { words } from '../support/matchers.js';
import { start } from './cli-harness.js';

const list = ['TASK-001: Add tea', 'TASK-002: Add milk', 'TASK-003: Add sugar']
  .map((title) => `### ${title}\n- [ ] done\n`)
  .join('\n');
const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** Waits there, under a process id that can be read, until a file is there: for who is to be killed at that place. */
const stopAt = (outside: string, name: string): string =>
  `if [ ! -f "${outside}/${name}.go" ]; then echo $$ > "${outside}/${name}.tmp"; mv "${outside}/${name}.tmp" "${outside}/${name}.pid"; exec sleep 600; fi\n`;

describe.skipIf(process.platform === 'win32')('reviewloop tasks run that is killed with -9', () => {
  it('goes on when it is started again: nothing that was finished is done twice, and nothing is lost', {
    timeout: 120_000,
  }, async () => {
    const repository = newRepository();
    const outside = mkdtempSync(join(tmpdir(), 'tasks-kill-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    repository.write('tasks.md', list);
    repository.write(
      'do.sh',
      `echo "$REVIEWLOOP_TASK_ID" >> "${outside}/log"\ncat > "$REVIEWLOOP_TASK_ID.txt"\nif [ "$REVIEWLOOP_TASK_ID" = TASK-002 ]; then\n${stopAt(outside, 'work')}fi\n`,
    );
    repository.commit('first');
    writeFileSync(
      join(repository.cwd, '.git/hooks/pre-commit'),
      `#!/bin/sh\nif git diff --cached --name-only | grep -q TASK-002; then\n${stopAt(outside, 'commit')}fi\n`,
      { mode: 0o755 },
    );
    const store = `sqlite:${join(outside, 'runs.db')}`;
    const begin = () =>
      start(
        repository.cwd,
        [
          ...words('tasks run --tasks tasks.md --all --exec'),
          'sh do.sh',
          '--test-command',
          'ls *.txt',
          '--store',
          store,
        ],
        { env: { ...process.env, ...identity } },
      );
    const log = (): string[] => readFileSync(join(outside, 'log'), 'utf8').trim().split('\n');
    const subjects = (): string[] => repository.git('log', '--format=%s', '--reverse').split('\n');

    /** Kills the command line at a place, and what it had started, as a power cut would. */
    const killAt = async (name: string): Promise<void> => {
      const { child, exit } = begin();
      await expect
        .poll(() => existsSync(join(outside, `${name}.pid`)), { timeout: 280_000 })
        .toBe(true);
      child.kill('SIGKILL');
      const group = execFileSync(
        'ps',
        ['-o', 'pgid=', '-p', readFileSync(join(outside, `${name}.pid`), 'utf8').trim()],
        { encoding: 'utf8' },
      ).trim();
      process.kill(-Number(group), 'SIGKILL');
      expect(await exit).toMatchObject({ signal: 'SIGKILL' });
      writeFileSync(join(outside, `${name}.go`), '');
    };

    await killAt('work');
    expect(log()).toEqual(['TASK-001', 'TASK-002']);
    expect(subjects()).toEqual(['first', 'TASK-001: Add tea']);
    await killAt('commit');
    expect(log(), 'only what was under way is done again').toEqual([
      'TASK-001',
      'TASK-002',
      'TASK-002',
    ]);
    expect(subjects()).toEqual(['first', 'TASK-001: Add tea']);
    const last = await begin().exit;
    expect(last.out).toContain('TASK-003: success');
    expect(last).toMatchObject({ code: 0 });
    expect(log(), 'work that was reviewed is not done again for a commit').toEqual([
      'TASK-001',
      'TASK-002',
      'TASK-002',
      'TASK-003',
    ]);
    expect(subjects()).toEqual([
      'first',
      'TASK-001: Add tea',
      'TASK-002: Add milk',
      'TASK-003: Add sugar',
    ]);
    expect(repository.git('status', '--porcelain')).toBe('');
    const database = sqliteStore(join(outside, 'runs.db'));
    expect(
      await database.query(
        'SELECT task_id, attempt, run_attempt, status FROM attempts ORDER BY task_id',
      ),
    ).toEqual(
      ['TASK-001', 'TASK-002', 'TASK-003'].map((task_id) => ({
        task_id,
        attempt: 1,
        run_attempt: 1,
        status: 'success',
      })),
    );
    expect(await database.query('SELECT integrity_check FROM pragma_integrity_check')).toEqual([
      { integrity_check: 'ok' },
    ]);
    await database.close();
  });
});
