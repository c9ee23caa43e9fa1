import { describe, expect, it } from 'vitest';
import { yesServer } from '../../../support/yes-judge.js';
import { runCli } from '../../cli/harness.js';
import { shop } from './task-shop.js';

const argv = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh', '--task', 'TASK-001'];

/** Writes a hook of the repository, also from a worktree. */
const hook = (name: string, ...lines: string[]): string =>
  [
    'hooks="$(git rev-parse --git-common-dir)/hooks"',
    'mkdir -p "$hooks"',
    `cat > "$hooks/${name}" <<'END'`,
    '#!/bin/sh',
    ...lines,
    'END',
    `chmod +x "$hooks/${name}"`,
  ].join('\n');

/** What makes git commit something else than the reviewers saw. */
const ways = {
  'a hook before the commit that edits a file': hook(
    'pre-commit',
    'echo EVIL >> tea.txt',
    'git add tea.txt',
  ),
  'a hook before the commit that adds a file': hook(
    'pre-commit',
    'echo EVIL > evil.txt',
    'git add evil.txt',
  ),
  'a hook after the commit': hook(
    'post-commit',
    '[ -f evil.txt ] && exit',
    'echo EVIL > evil.txt',
    'git add evil.txt',
    'git commit -q --amend --no-edit',
  ),
  'a filter': [
    "git config filter.x.clean 'sed s/green/EVIL/'",
    'mkdir -p "$(git rev-parse --git-common-dir)/info"',
    'echo "*.txt filter=x" > "$(git rev-parse --git-common-dir)/info/attributes"',
  ].join('\n'),
};

describe.each(Object.entries(ways))('a commit that is not what was reviewed: %s', (_, way) => {
  it.each([[], ['--parallel', '2']])('is taken back [R2-020]', async (...flags) => {
    const { cwd, git } = shop(`echo green > tea.txt\n${way}\n`);
    const { flags: model, close } = await yesServer();
    const { code, out, err } = await runCli(cwd, [...argv, ...model, ...flags]);
    await close();
    expect(code, out + err).toBe(1);
    expect(out + err).toContain('git committed something else than was reviewed');
    expect(out + err).toMatch(/taken back: (tea|evil)\.txt\./);
    expect(git('log', '--format=%s')).toBe('first');
    expect(git('show', 'HEAD', '--name-only')).not.toContain('EVIL');
  });
});

it('a task is committed beside files of git filters that did not change', async () => {
  const { cwd, git, write, commit } = shop('echo green > tea.txt\n');
  git('config', 'filter.big.clean', 'sed s/whole/pointer/');
  git('config', 'filter.big.smudge', 'sed s/pointer/whole/');
  write('.gitattributes', '*.bin filter=big\n');
  write('a.bin', 'whole\n');
  commit('filters');
  const { flags: model, close } = await yesServer();
  const { code, out, err } = await runCli(cwd, [...argv, ...model]);
  await close();
  expect(code, out + err).toBe(0);
  expect(git('show', 'HEAD', '--name-only', '--format=')).toBe('tea.txt');
});
