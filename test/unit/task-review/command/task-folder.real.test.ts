import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  addFolder,
  commitTask,
  removeFolder,
  repositoryOf,
  uncommitted,
} from '../../../../src/task-review/command/task-folder.js';
import { newRepository, type Repository } from '../../../support/git-repository.js';

process.env['GIT_AUTHOR_NAME'] = process.env['GIT_COMMITTER_NAME'] = 'A';
process.env['GIT_AUTHOR_EMAIL'] = process.env['GIT_COMMITTER_EMAIL'] = 'a@example.org';
const task = { id: 'TASK-001', name: 'Add\ntea' };

function shop(): Repository {
  const repository = newRepository();
  repository.write('tea.txt', 'green\n');
  repository.write('.gitignore', '.reviewloop\n');
  repository.commit('first');
  return repository;
}

it('the work of a folder of its own reaches the branch once, also when its process died right afterwards', async () => {
  const { cwd, git, write, commit } = shop();
  const folder = await addFolder(cwd, join(cwd, '.reviewloop'), 'run-1');
  write('milk.txt', 'of another task\n');
  commit('TASK-000: Add milk');
  writeFileSync(join(folder, 'tea.txt'), 'black\n');
  for (let time = 0; time < 2; time += 1) await commitTask(cwd, folder, task);
  expect(git('log', '--format=%s').split('\n')).toEqual([
    'TASK-001: Add tea',
    'TASK-000: Add milk',
    'first',
  ]);
  expect(readFileSync(join(cwd, 'tea.txt'), 'utf8')).toBe('black\n');
  await removeFolder(cwd, folder);
  expect(existsSync(folder)).toBe(false);
});

it('work that does not fit onto the branch is refused, and leaves the branch as it was', async () => {
  const { cwd, git, write, commit } = shop();
  const folder = await addFolder(cwd, join(cwd, '.reviewloop'), 'run-1');
  write('tea.txt', 'white\n');
  commit('another opinion');
  writeFileSync(join(folder, 'tea.txt'), 'black\n');
  await expect(commitTask(cwd, folder, task)).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining('cherry-pick'),
  });
  expect(git('log', '-1', '--format=%s')).toBe('another opinion');
  expect(await uncommitted(cwd)).toBe('');
});

it('what is kept in .reviewloop is never committed, whether git ignores it or not', async () => {
  for (const ignored of ['.reviewloop/\n', '']) {
    const { cwd, git, write, commit } = newRepository();
    write('.gitignore', ignored);
    commit('first');
    write('.reviewloop/runs/a.json', '{}');
    write('tea.txt', 'black\n');
    await commitTask(cwd, cwd, task);
    expect(git('show', '--format=%s', '--name-only').split('\n').filter(Boolean)).toEqual([
      'TASK-001: Add tea',
      'tea.txt',
    ]);
  }
});

it('a task that changed nothing is no commit', async () => {
  const { cwd, git } = shop();
  const folder = await addFolder(cwd, join(cwd, '.reviewloop'), 'run-1');
  await commitTask(cwd, folder, task);
  await commitTask(cwd, cwd, task);
  expect(git('log', '--format=%s')).toBe('first');
});

it('a folder of no repository is refused by its name', async () => {
  await expect(repositoryOf('/')).rejects.toMatchObject({ code: 'not_a_repository' });
});
