import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newRepository, type Repository } from '../support/git-repository.js';
import { type Exit, run, start } from './cli-harness.js';

const list = '# Tasks\n\n### TASK-001: Add tea\n- [ ] x\n\n### TASK-002: Add milk\n- [ ] y\n';
const env = {
  ...process.env,
  ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' },
  ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' },
};
const tasks = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh'];

/** A repository whose tasks say that they began, and wait until the test lets them end. */
function slowShop(): Repository {
  const repository = newRepository();
  repository.write('tasks.md', list);
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
