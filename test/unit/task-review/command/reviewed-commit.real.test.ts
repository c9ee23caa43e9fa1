import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitDiff } from '../../../../src/git/index.js';
import { commitReviewed } from '../../../../src/task-review/command/commit-reviewed.js';
import { taskDiff } from '../../../../src/task-review/command/task-diff.js';
import { addFolder } from '../../../../src/task-review/command/task-folder.js';
import { changeOf } from '../../../../src/task-review/task-change.js';
import { newRepository, type Repository } from '../../../support/git-repository.js';
import { shop } from './task-shop.js';

it('what changed between review and commit is not committed [R2-020]', async () => {
  const { cwd, git, write } = shop();
  write('tea.txt', 'green\n');
  const { base, ...diff } = await gitDiff({ cwd }).diff({ kind: 'working-tree' });
  const change = changeOf({ base, ...diff });
  const work = { root: cwd, folder: cwd, task: { id: 'TASK-001', name: 'Add tea' }, change };
  write('tea.txt', 'EVIL\n');
  await expect(commitReviewed(work)).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining('the files changed after they were reviewed'),
  });
  expect(git('log', '--format=%s')).toBe('first');
  write('tea.txt', 'green\n');
  await commitReviewed(work);
  // a process may have died right after it committed
  await commitReviewed(work);
  expect(git('log', '-1', '--format=%s')).toBe('TASK-001: Add tea');
});

it('the first commit of a repository is what was reviewed [R2-020]', async () => {
  const { cwd, git, write } = newRepository();
  write('tea.txt', 'green\n');
  const change = changeOf(await gitDiff({ cwd }).diff({ kind: 'working-tree' }));
  const work = { root: cwd, folder: cwd, task: { id: 'TASK-001', name: 'Add tea' }, change };
  write('.git/hooks/pre-commit', '#!/bin/sh\necho EVIL > evil.txt\ngit add evil.txt\n');
  chmodSync(join(cwd, '.git/hooks/pre-commit'), 0o755);
  await expect(commitReviewed(work)).rejects.toThrow('taken back: evil.txt.');
  expect(() => git('rev-parse', '--verify', 'HEAD')).toThrow();
  rmSync(join(cwd, '.git/hooks/pre-commit'));
  git('rm', '-q', '--cached', 'evil.txt');
  rmSync(join(cwd, 'evil.txt'));
  await commitReviewed(work);
  expect(git('show', '--format=', '--name-only')).toBe('tea.txt');
});

/** Writes a hook of a repository. */
function hook({ cwd, write }: Repository, name: string, ...lines: string[]): void {
  write(`.git/hooks/${name}`, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(join(cwd, '.git/hooks', name), 0o755);
}
const task = { id: 'TASK-001', name: 'Add tea' };
const changeIn = async (cwd: string) =>
  changeOf(await taskDiff(cwd).diff({ kind: 'working-tree' }));

it('a commit of a process that died is kept if it was reviewed, else taken back [R3-119]', async () => {
  const { cwd, git, write, commit } = shop();
  const start = { base: git('rev-parse', 'HEAD'), branch: 'refs/heads/main', task };
  write('tea.txt', 'green\n');
  const work = { ...start, root: cwd, folder: cwd, change: await changeIn(cwd) };
  const made = commit('TASK-001: Add tea');
  await commitReviewed(work);
  expect(git('rev-parse', 'HEAD')).toBe(made);
  // a hook added a file
  write('evil.txt', 'EVIL\n');
  git('add', '-A');
  git('commit', '-q', '--amend', '--no-edit');
  await expect(commitReviewed(work)).rejects.toThrow('the files changed after they were reviewed');
  expect(git('log', '--format=%s')).toBe('first');
  expect(git('status', '--porcelain')).toBe('A  evil.txt\nA  tea.txt');
});

it('a store that git does not ignore is no part of the work, and no commit contains it', async () => {
  const { cwd, git, write } = shop();
  write('.reviewloop/runs/a.json', '{}');
  write('tea.txt', 'green\n');
  const change = await changeIn(cwd);
  expect(change.files.map(({ path }) => path)).toEqual(['tea.txt']);
  expect(change.diff).toContain('+green');
  expect(change.diff).not.toContain('a.json');
  write('.reviewloop/runs/b.json', '{}');
  await commitReviewed({ root: cwd, folder: cwd, task, change });
  expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\ntea.txt');
  // elsewhere such a folder belongs to the work
  write('lib/.reviewloop/a.json', '{}');
  expect((await changeIn(cwd)).files.map(({ path }) => path)).toEqual(['lib/.reviewloop/a.json']);
});

it('a commit that a hook added files to is taken back, also files of the store, and the first five are named', async () => {
  for (const [file, named] of [
    ['.reviewloop/evil', /taken back: \.reviewloop\/evil\./],
    ['$i.txt', /taken back: 1\.txt, 2\.txt, 3\.txt, 4\.txt, 5\.txt and 1 more\./],
  ] as const) {
    const repository = shop();
    const { cwd, git, write } = repository;
    const add = `mkdir -p .reviewloop; echo x > ${file}; git add -f ${file}`;
    hook(repository, 'pre-commit', `for i in 1 2 3 4 5 6; do ${add}; done`);
    write('tea.txt', 'green\n');
    await expect(
      commitReviewed({ root: cwd, folder: cwd, task, change: await changeIn(cwd) }),
    ).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringMatching(named) as string,
    });
    expect(git('log', '--format=%s')).toBe('first');
  }
});

it('work of a folder of its own reaches the branch as it was reviewed, and only so', async () => {
  const { cwd, git, write } = shop();
  const folder = await addFolder(cwd, join(cwd, '.reviewloop'), 'run-1');
  write('.reviewloop/worktrees/run-1/tea.txt', 'green\n');
  const start = { base: git('rev-parse', 'HEAD'), branch: 'refs/heads/main', task };
  const work = { ...start, root: cwd, folder, change: await changeIn(folder) };
  git('config', 'core.hooksPath', join(cwd, 'hooks'));
  write('hooks/post-commit', '#!/bin/sh\n[ -d .reviewloop/worktrees ] || exit 0\n');
  await commitReviewed(work);
  expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\ntea.txt');
  await commitReviewed(work);
  expect(git('log', '--format=%s').split('\n')).toHaveLength(2);
});

it('a submodule with changes of its own is no part of a commit', async () => {
  const { cwd, git, write } = shop();
  const other = shop();
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.cwd, 'lib');
  git('commit', '-qm', 'lib');
  write('lib/do.sh', 'changed\n');
  write('tea.txt', 'green\n');
  const change = await changeIn(cwd);
  expect(change.files.map(({ path }) => path)).toEqual(['tea.txt', 'lib']);
  await commitReviewed({ root: cwd, folder: cwd, task, change });
  expect(git('show', '--format=%s', '--name-only')).toBe('TASK-001: Add tea\n\ntea.txt');
});
