import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { newRepository, type Repository } from '../support/git-repository.js';
import { words } from '../support/matchers.js';
import { tempFolder } from '../support/temp-folder.js';
import { type Exit, run, start } from './cli-harness.js';

const list = ['TASK-001: Add tea', 'TASK-002: Add milk', 'TASK-003: Add sugar']
  .map((title) => `### ${title}\n- [ ] done\n`)
  .join('\n');
const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

const stopAt = (outside: string, name: string): string =>
  `if [ ! -f "${outside}/${name}.go" ]; then echo $$ > "${outside}/${name}.tmp"; mv "${outside}/${name}.tmp" "${outside}/${name}.pid"; exec sleep 600; fi\n`;

describe.skipIf(process.platform === 'win32')('reviewloop tasks run that is killed with -9', () => {
  it('goes on when it is started again: nothing that was finished is done twice, and nothing is lost', {
    timeout: 120_000,
  }, async () => {
    const repository = newRepository();
    const outside = tempFolder('tasks-kill');
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

const env = { ...process.env, ...identity };
const tasks = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh'];

/** A repository whose tasks say that they began, and wait until the test lets them end. */
function slowShop(): Repository {
  const repository = newRepository();
  repository.write('tasks.md', list.slice(0, list.indexOf('### TASK-003')));
  repository.write(
    'do.sh',
    'touch .git/begun; while [ ! -e .git/go ]; do sleep 0.05; done; cat > "$REVIEWLOOP_TASK_ID.txt"\n',
  );
  repository.commit('first');
  return repository;
}

/** Resolves once a file exists. */
async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((done) => setTimeout(done, 20));
}

/** Every file of the store with its content. Locks beat while they are held. */
function storeOf(cwd: string): Record<string, string> {
  const folder = join(cwd, '.reviewloop');
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/lock/.test(name) && statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

const refused = (cwd: string): Partial<Exit> => ({
  code: 1,
  out: '',
  err: expect.stringContaining(`another reviewloop command is working in ${cwd}`),
});

it('a second call on one folder changes nothing, and the first ends as if alone [R2-114]', async () => {
  const { cwd, git, write } = slowShop();
  const first = start(cwd, [...tasks, '--all'], { env });
  await appears(join(cwd, '.git/begun'));
  const before = storeOf(cwd);
  const root = git('rev-parse', '--show-toplevel');
  for (const more of [
    ['--all'],
    ['--task', 'TASK-002'],
    ['--all', '--parallel', '2'],
    ['--all', '--store', 'file:other'],
    ['--all', '--anew'],
  ])
    expect(await run(cwd, [...tasks, ...more], { env }), more.join(' ')).toMatchObject(
      refused(root),
    );
  expect(storeOf(cwd)).toEqual(before);
  expect(existsSync(join(cwd, 'other'))).toBe(false);
  write('.git/go', '');
  expect(await first.exit).toMatchObject({ code: 0 });
  expect(git('log', '--format=%s')).toBe('TASK-002: Add milk\nTASK-001: Add tea\nfirst');
  expect((await run(cwd, [...tasks, '--all'], { env })).code).toBe(0);
  expect(git('status', '--porcelain')).toBe('');
});

it('an answer does not meet a call that works in the folder, and of two answers one wins [R2-114]', async () => {
  const { cwd, git, write } = slowShop();
  write('.git/go', '');
  await run(cwd, [...tasks, '--task', 'TASK-001', '--hitl-review'], { env });
  const answer = ['answer', 'TASK-001', 'skip', '--by', 'Ada'];
  const both = await Promise.all([run(cwd, answer, { env }), run(cwd, answer, { env })]);
  const codes = both.map(({ code }) => code ?? -1).sort((a, b) => a - b);
  expect(codes[0], JSON.stringify(both)).toBe(0);
  expect([1, 2]).toContain(codes[1]);
  expect(git('log', '--format=%s')).toBe('TASK-001: Add tea\nfirst');
  expect(git('status', '--porcelain')).toBe('');

  await run(cwd, [...tasks, '--task', 'TASK-002', '--hitl-review', '--anew'], { env });
  const lock = join(cwd, '.git/reviewloop');
  expect(existsSync(lock)).toBe(true);
  writeFileSync(
    join(lock, 'lock.999'),
    JSON.stringify({ pid: process.pid, host: 'another place', epoch: 999, at: Date.now() }),
  );
  expect(await run(cwd, ['answer', 'TASK-002', 'skip', '--by', 'Ada'], { env })).toMatchObject(
    refused(git('rev-parse', '--show-toplevel')),
  );
});
