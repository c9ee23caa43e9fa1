import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addFolder } from '../../../../src/task-review/command/task-folder.js';
import { foldCommits, namesIn } from '../../../../src/task-review/command/task-history.js';
import type { Repository } from '../../../support/git-repository.js';
import { yesServer } from '../../../support/yes-judge.js';
import { runCli } from '../../cli/harness.js';
import { shop } from './task-shop.js';

const task = { id: 'TASK-001', name: 'Add tea' };

/** A repository with three commits, a branch with one more, a tag and a stash. */
function older(script?: string): Repository {
  const made = shop(script);
  const { git, write, commit } = made;
  write('cream.txt', 'by Ann\n');
  commit('second');
  write('milk.txt', 'by Bob\n');
  commit('third');
  git('tag', 'v1');
  git('checkout', '-q', '-b', 'release');
  write('release.txt', '1\n');
  commit('fourth');
  git('checkout', '-q', 'main');
  write('milk.txt', 'later\n');
  git('stash', '-q');
  return made;
}

/** Everything that a call must leave alone. */
const stateOf = ({ git }: Repository): string =>
  [
    git('for-each-ref'),
    git('reflog', '--format=%H'),
    git('stash', 'list'),
    git('status', '--porcelain', '-b'),
    git('diff', 'HEAD'),
  ].join('\n');

type Act = (repository: Repository, folder: string) => void;
const save = ({ git }: Repository, message = 'by the command'): void =>
  void git('commit', '-q', '--allow-empty', '-am', message);

/** What a command does to the history, and what the message names. */
const refused: Readonly<Record<string, readonly [act: Act, named: RegExp]>> = {
  'commits of others squashed': [
    ({ git }) => {
      git('reset', '-q', '--soft', 'HEAD~2');
      git('commit', '-qm', 'one');
    },
    /no longer contains \w{40}.*git reset --soft \w{40}/,
  ],
  'the last commit amended': [
    ({ git }) => git('commit', '-q', '--amend', '-m', 'mine'),
    /no longer contains/,
  ],
  'the branch reset': [({ git }) => git('reset', '-q', '--hard', 'HEAD~1'), /no longer contains/],
  'a commit of others dropped by a rebase': [
    ({ git }) => git('rebase', '-q', '--onto', 'HEAD~2', 'HEAD~1'),
    /no longer contains/,
  ],
  'another branch checked out': [
    (made) => {
      made.git('checkout', '-q', 'release');
      save(made);
    },
    /is on release, not on main \(`git checkout main`\)/,
  ],
  'a branch of its own': [
    ({ git }) => git('checkout', '-q', '-b', 'mine'),
    /is on mine, not on main/,
  ],
  'a commit on another branch, and back': [
    (made) => {
      made.git('checkout', '-q', 'release');
      save(made);
      made.git('checkout', '-q', 'main');
    },
    /release was \w{40} and is \w{40} \(`git update-ref refs\/heads\/release \w{40}`\)/,
  ],
  'no branch': [
    ({ git }) => git('checkout', '-q', '--detach'),
    /is on a detached HEAD, not on main/,
  ],
  'a moved tag': [({ git }) => git('tag', '-f', 'v1', 'HEAD~1'), /v1 was \w{40} and is \w{40}/],
  'a deleted tag': [({ git }) => git('tag', '-d', 'v1'), /v1 was \w{40} and is absent/],
  'a new tag': [
    ({ git }) => git('tag', 'v2'),
    /v2 was absent and is \w{40} \(`git update-ref -d refs\/tags\/v2`\)/,
  ],
  'a deleted branch': [({ git }) => git('branch', '-D', 'release'), /release was \w{40}/],
  'another object in place of a commit': [
    ({ git }) => git('replace', 'HEAD~1', 'HEAD~2'),
    /refs\/replace\/\w{40} was absent/,
  ],
  'a dropped stash': [({ git }) => git('stash', 'drop', '-q'), /the stash was \w{40} and is empty/],
  'a new stash': [
    ({ git, write }) => {
      write('milk.txt', 'mine\n');
      git('stash', '-q');
    },
    /the stash was \w{40} and is \w{40} \w{40}/,
  ],
  'a merged branch of others': [
    ({ git }) => git('merge', '-q', '--no-ff', '-m', 'merge', 'release'),
    /HEAD contains commits of others: \w{40}/,
  ],
  'commits of others in front of its own': [
    (made) => {
      made.git('merge', '-q', '--ff-only', 'release');
      save(made);
    },
    /HEAD contains commits of others: \w{40}/,
  ],
  'commits that were pushed': [
    (made) => {
      save(made);
      made.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    },
    /HEAD contains commits of others/,
  ],
  'an open merge': [
    ({ git }) => git('merge', '-q', '--no-ff', '--no-commit', 'release'),
    /a merge is open \(`git merge --abort`\)/,
  ],
};

describe.each(Object.entries(refused))('a command that leaves %s', (_, [act, named]) => {
  it('is refused by name, and nothing is changed [R3-120]', async () => {
    const made = older();
    const { cwd, git } = made;
    const base = git('rev-parse', 'HEAD');
    const start = { root: cwd, folder: cwd, base, branch: 'refs/heads/main', task };
    const names = await namesIn(cwd);
    await foldCommits(start, names);
    act(made, cwd);
    const left = stateOf(made);
    await expect(foldCommits(start, names)).rejects.toMatchObject({
      code: 'history_changed',
      message: expect.stringMatching(named) as string,
    });
    expect(stateOf(made)).toBe(left);
  });
});

it('in a worktree, the branch of the repository may grow, and nothing else may change [R3-120]', async () => {
  const made = older();
  const { cwd, git, write, commit } = made;
  const folder = await addFolder(cwd, join(cwd, '.reviewloop'), 'run-1');
  const base = git('rev-parse', 'HEAD');
  const start = { root: cwd, folder, base, branch: 'refs/heads/main', task };
  const names = await namesIn(cwd);
  write('milk.txt', 'by Cid\n');
  commit('fifth');
  git('-C', folder, 'commit', '-q', '--allow-empty', '-m', 'by the command');
  await foldCommits(start, names);
  expect(git('-C', folder, 'rev-parse', 'HEAD')).toBe(base);
  for (const [act, named] of [
    [() => git('-C', folder, 'checkout', '-q', '-b', 'mine'), /is on mine, not on a detached HEAD/],
    [() => git('-C', folder, 'checkout', '-q', '--detach'), /mine was absent/],
    [() => git('branch', '-D', 'mine'), undefined],
    [() => git('reset', '-q', '--hard', 'HEAD~2'), /main was \w{40} and is \w{40}/],
    [() => git('checkout', '-q', 'release'), /is on release, not on main/],
  ] as const) {
    act();
    if (named === undefined) await foldCommits(start, names);
    else await expect(foldCommits(start, names)).rejects.toThrow(named);
  }
});

it('the first commits of a repository become uncommitted work', async () => {
  const { cwd, git, commit } = shop();
  git('update-ref', '-d', 'HEAD');
  commit('by the command');
  commit('once more');
  await foldCommits({ root: cwd, folder: cwd, base: '', branch: 'refs/heads/main', task });
  expect(() => git('rev-parse', '--verify', '--quiet', 'HEAD')).toThrow();
  expect(git('status', '--porcelain')).toContain('A  do.sh');
});

const git = 'git -c user.name=A -c user.email=a@example.org';
const key = 'a-secret-of-the-command';
const argv = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh', '--task', 'TASK-001'];

/** What a command commits on the way to its work. */
const ways = {
  'adds a file and removes it': `echo ${key} > k; git add k; ${git} commit -qm k
git rm -q k; ${git} commit -qm no; echo green > tea.txt`,
  'commits all its work': `echo ${key} > k; git add k; ${git} commit -qm k
git rm -q k; echo green > tea.txt; git add tea.txt; ${git} commit -qm all`,
  'commits under the name of the task': `echo ${key} > k; git add k
${git} commit -qm 'TASK-001: Add tea'; git rm -q k; echo green > tea.txt`,
  'merges a side branch of its own': `git checkout -q -b side; echo ${key} > k; git add k
${git} commit -qm k; git checkout -q -; ${git} merge -q --no-ff -m m side; git branch -qD side
git rm -q k; echo green > tea.txt`,
};

describe.each(Object.entries(ways))('a command that %s', (_, script) => {
  it.each([[], ['--parallel', '2']])(
    'leaves one commit on the branch: the reviewed one [R3-119]',
    async (...flags) => {
      const { cwd, git: run } = shop(`${script}\n`);
      const { flags: model, close } = await yesServer();
      const { code, out, err } = await runCli(cwd, [...argv, ...model, ...flags]);
      await close();
      expect(code, out + err).toBe(0);
      expect(run('log', '--all', '--format=%s')).toBe('TASK-001: Add tea\nfirst');
      expect(run('log', '--all', '--format=%s', '--', 'k')).toBe('');
      expect(run('show', 'HEAD', '--format=', '--name-only')).toBe('tea.txt');
    },
  );
});

it.each(['all', 'TASK-001: Add tea'])(
  'a task that fails leaves no commit on the branch, and its commit %j in the patch [R3-119]',
  async (message) => {
    const made = shop(`echo green > tea.txt; git add tea.txt; ${git} commit -qm '${message}'\n`);
    const { code, out } = await runCli(made.cwd, [
      ...[...argv, '--test-command', 'false', '--attempts', '1', '--no-review'],
    ]);
    expect(code).not.toBe(0);
    expect(made.git('log', '--format=%s')).toBe('first');
    expect(made.git('status', '--porcelain')).toBe('');
    const [, patch = ''] = /git apply (\S+)/.exec(out) ?? [];
    made.git('apply', patch);
    expect(existsSync(join(made.cwd, 'tea.txt'))).toBe(true);
  },
);

it('a hook of git that commits once more is taken back [R3-119]', async () => {
  const hook = '.git/hooks/post-commit';
  const made = shop('echo green > tea.txt\n');
  made.write(
    hook,
    `#!/bin/sh\n[ -f .git/done ] && exit; touch .git/done\necho ${key} > k; git add k; git commit -qm k; git rm -q k; git commit -qm no\n`,
  );
  chmodSync(join(made.cwd, hook), 0o755);
  const { flags: model, close } = await yesServer();
  const { code, out } = await runCli(made.cwd, [...argv, ...model]);
  await close();
  expect(code).toBe(1);
  expect(out).toContain('taken back: more than one commit');
  expect(made.git('log', '--format=%s')).toBe('first');
});

it('after a changed history nothing goes on before a person has looked at it [R3-120]', async () => {
  const made = older(
    `[ -f .git/done ] || git reset -q --soft HEAD~2; touch .git/done\necho green > tea.txt; git add tea.txt; ${git} commit -qm mine\n`,
  );
  const base = made.git('rev-parse', 'HEAD');
  const { flags: model, close } = await yesServer();
  const run = (...more: string[]) =>
    runCli(made.cwd, [...argv.slice(0, -2), ...model, '--attempts', '3', ...more]);
  const first = await run('--all');
  expect(first.code).toBe(1);
  expect(first.out).toContain('HISTORY_CHANGED: nothing was committed: HEAD no longer contains');
  expect(first.out).toContain('--anew # after you looked at the history');
  // nobody else begins, in this call and in later ones
  expect(first.out).toContain('TASK-003: not run');
  const later = await run('--task', 'TASK-001', '--task', 'TASK-003');
  expect(later.code).toBe(1);
  expect(later.out.match(/left another history/g)).toHaveLength(2);
  made.git('reset', '-q', '--hard', base);
  const anew = await run('--task', 'TASK-001', '--anew');
  await close();
  expect(anew.code, anew.out + anew.err).toBe(0);
  expect(made.git('log', '--format=%s')).toBe('TASK-001: Add tea\nthird\nsecond\nfirst');
});
