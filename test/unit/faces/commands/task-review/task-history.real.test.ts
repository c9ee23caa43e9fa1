import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import { commitReviewed, taskDiff } from '@/faces/commands/task-review/build-task-review.js';
import { addFolder, setAside } from '@/faces/commands/task-review/task-folder.js';
import { foldCommits, namesIn } from '@/faces/commands/task-review/task-history.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { changeOf } from '@/products/task-review/task-change.js';
import {
  copiedRepository,
  newRepository,
  type Repository,
} from '../../../../support/git-repository.js';
import { errorWith } from '../../../../support/matchers.js';
import { yesServer } from '../../../../support/yes-judge.js';
import { runCli } from '../../cli/harness.js';
import { shop } from './task-shop.js';

const task = { id: 'TASK-001', name: 'Add tea' };

/** A repository with three commits, a branch with one more, a tag and a stash. */
function older(script?: string): Repository {
  return copiedRepository(['older', script], () => makeOlder(script));
}

function makeOlder(script?: string): Repository {
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
    await expect(foldCommits(start, names)).rejects.toMatchObject(
      errorWith('history_changed', named),
    );
    expect(stateOf(made)).toBe(left);
  });
});

it('in a worktree, the branch of the repository may grow, and nothing else may change [R3-120]', async () => {
  const made = older();
  const { cwd, git, write, commit } = made;
  const folder = await addFolder(cwd, folderStore(join(cwd, '.reviewloop')), 'run-1');
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

/** Does the task with a model that says yes to everything. */
async function done(cwd: string, ...flags: string[]) {
  const { seen, flags: model, close } = await yesServer();
  const { code, out, err } = await runCli(cwd, [...argv, ...model, ...flags]);
  await close();
  return { code, out, said: out + err, seen };
}

function hook({ cwd, write }: Repository, name: string, ...lines: string[]): void {
  write(`.git/hooks/${name}`, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(join(cwd, '.git/hooks', name), 0o755);
}

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
      const { code, said } = await done(cwd, ...flags);
      expect(code, said).toBe(0);
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
  const made = shop('echo green > tea.txt\n');
  hook(
    made,
    'post-commit',
    '[ -f .git/done ] && exit; touch .git/done',
    `echo ${key} > k; git add k; git commit -qm k; git rm -q k; git commit -qm no`,
  );
  const { code, out } = await done(made.cwd);
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

describe('hooks and filters of git', () => {
  /** Writes a hook of the repository, also from a worktree. */
  const hooked = (name: string, ...lines: string[]): string =>
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
    'a hook that edits a file': hooked('pre-commit', 'echo EVIL >> tea.txt', 'git add tea.txt'),
    'a hook that adds a file': hooked('pre-commit', 'echo EVIL > evil.txt', 'git add evil.txt'),
    'a hook after the commit': hooked(
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
      const { code, said } = await done(cwd, ...flags);
      expect(code, said).toBe(1);
      expect(said).toContain('git committed something else than was reviewed');
      expect(said).toMatch(/taken back: (tea|evil)\.txt\./);
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
    const { code, said } = await done(cwd);
    expect(code, said).toBe(0);
    expect(git('show', 'HEAD', '--name-only', '--format=')).toBe('tea.txt');
  });
});

describe('the commit of what was reviewed', () => {
  it('what changed between review and commit is not committed [R2-020]', async () => {
    const { cwd, git, write } = shop();
    write('tea.txt', 'green\n');
    const { base, ...diff } = await gitDiff({ cwd }).diff({ kind: 'working-tree' });
    const change = changeOf({ base, ...diff });
    const work = { root: cwd, folder: cwd, task, change };
    write('tea.txt', 'EVIL\n');
    await expect(commitReviewed(work)).rejects.toMatchObject(
      errorWith('git_failed', 'the files changed after they were reviewed'),
    );
    expect(git('log', '--format=%s')).toBe('first');
    write('tea.txt', 'green\n');
    await commitReviewed(work);
    // a process may have died right after it committed
    await commitReviewed(work);
    expect(git('log', '-1', '--format=%s')).toBe('TASK-001: Add tea');
  });

  it('the first commit of a repository is what was reviewed [R2-020]', async () => {
    const repository = newRepository();
    const { cwd, git, write } = repository;
    write('tea.txt', 'green\n');
    const change = changeOf(await gitDiff({ cwd }).diff({ kind: 'working-tree' }));
    const work = { root: cwd, folder: cwd, task, change };
    hook(repository, 'pre-commit', 'echo EVIL > evil.txt', 'git add evil.txt');
    await expect(commitReviewed(work)).rejects.toThrow('taken back: evil.txt.');
    expect(() => git('rev-parse', '--verify', 'HEAD')).toThrow();
    rmSync(join(cwd, '.git/hooks/pre-commit'));
    git('rm', '-q', '--cached', 'evil.txt');
    rmSync(join(cwd, 'evil.txt'));
    await commitReviewed(work);
    expect(git('show', '--format=', '--name-only')).toBe('tea.txt');
  });

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
    await expect(commitReviewed(work)).rejects.toThrow(
      'the files changed after they were reviewed',
    );
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
      ).rejects.toMatchObject(errorWith('git_failed', named));
      expect(git('log', '--format=%s')).toBe('first');
    }
  });

  it('work of a folder of its own reaches the branch as it was reviewed, and only so', async () => {
    const { cwd, git, write } = shop();
    const folder = await addFolder(cwd, folderStore(join(cwd, '.reviewloop')), 'run-1');
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
});

const flags = ['--assume-unchanged', '--skip-worktree'];

describe.each(flags)('changes that git was told to overlook: %s', (flag) => {
  it('are reviewed, and no commit pretends to contain them', async () => {
    const { cwd, git, write, commit } = shop(
      `git update-index ${flag} kept.txt\necho evil >> kept.txt\necho new > new.txt\n`,
    );
    write('kept.txt', 'kept\n');
    commit('kept');
    const { code, said, seen } = await done(cwd);
    expect(JSON.stringify(seen)).toContain('+evil');
    expect(code, said).toBe(1);
    expect(said).toContain('git was told to overlook the changes of kept.txt');
    expect(git('log', '-1', '--format=%s')).toBe('kept');
  });

  it('are told before any work is done', async () => {
    const { cwd, git, write, commit } = shop('echo new > new.txt\n');
    write('kept.txt', 'kept\n');
    commit('kept');
    git('update-index', flag, 'kept.txt');
    expect((await runCli(cwd, argv)).code).toBe(0);
    write('kept.txt', 'mine\n');
    const { code, out, err } = await runCli(cwd, [...argv.slice(0, -1), 'TASK-002']);
    expect(code).not.toBe(0);
    expect(out + err).toContain('git was told to overlook the changes of kept.txt');
    expect(git('log', '--format=%s')).not.toContain('TASK-002');
  });
});

/** A repository with work on a task that is not committed. */
function begun(id = 'T-1', store = '.reviewloop') {
  const made = shop();
  const task = { id, name: 'x', checklist: [], dependsOn: [] };
  const record = { root: made.cwd, folder: made.cwd, task, runId: 'run-12345678' };
  return { ...made, aside: () => setAside(record, folderStore(join(made.cwd, store))) };
}

it('the changes of a folder become a patch that brings them back, for this user alone', async () => {
  const { git, write, aside } = begun();
  expect(await aside()).toBeUndefined();
  write('new.txt', 'one\n');
  write('do.sh', 'changed\n');
  const patch = (await aside()) ?? '';
  expect(basename(patch)).toBe('T-1-12345678.patch');
  expect(statSync(patch).mode & 0o777).toBe(0o600);
  expect(git('status', '--porcelain', '--', ':!.reviewloop')).toBe('');
  git('apply', patch);
  expect(git('status', '--porcelain', '--', ':!.reviewloop')).toBe('M do.sh\n?? new.txt');
  git('config', 'diff.external', 'false');
  git('config', 'diff.mnemonicPrefix', 'true');
  const again = (await aside()) ?? '';
  expect(basename(again)).toBe('T-1-12345678-2.patch');
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(patch, 'utf8'));
  expect(readFileSync(patch, 'utf8')).toMatch(/^diff --git a\/do\.sh b\/do\.sh$/m);
});

it('a patch has a name for any file system, whatever the id of its task', async () => {
  const { write, aside } = begun(`../a b/${'x'.repeat(200)}`);
  write('new.txt', 'one\n');
  const patch = (await aside()) ?? '';
  expect(basename(patch)).toMatch(/^x{91}-12345678\.patch$/);
  const short = begun('a/b:c');
  short.write('new.txt', 'one\n');
  expect(basename((await short.aside()) ?? '')).toBe('a_b_c-12345678.patch');
});

it('a store in the folder stays, under any name', async () => {
  const { cwd, write, aside } = begun('T-1', 'kept');
  write('kept/runs/a.json', '{}');
  write('kept-wal', 'x');
  write('new.txt', 'one\n');
  const patch = (await aside()) ?? '';
  expect(patch.startsWith(join(cwd, 'kept/set-aside'))).toBe(true);
  expect(readFileSync(patch, 'utf8')).not.toContain('a.json');
  expect(readFileSync(patch, 'utf8')).not.toContain('kept-wal');
  for (const path of ['kept/runs/a.json', 'kept-wal'])
    expect(existsSync(join(cwd, path))).toBe(true);
  expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
});

it('changes inside of a submodule, which no patch can show, stay where they are', async () => {
  const { cwd, git, write, aside } = begun();
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', shop().cwd, 'lib');
  git('commit', '-qm', 'lib');
  write('lib/do.sh', 'changed\n');
  await expect(aside()).rejects.toMatchObject({ code: 'git_failed', value: cwd });
  expect(readFileSync(join(cwd, 'lib/do.sh'), 'utf8')).toBe('changed\n');
  expect(readdirSync(join(cwd, '.reviewloop/set-aside'))).toEqual([]);
});
