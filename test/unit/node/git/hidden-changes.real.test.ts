import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitDiff } from '@/node/git/git-diff.js';
import type { SavedTree } from '@/node/git/save-tree.js';
import { savedTrees } from '@/node/git/saved-trees.js';
import { newRepository, type Repository } from '../../../support/git-repository.js';
import { tempFolder } from '../../../support/temp-folder.js';

const page = 'page.txt';

/** Ways to hide a change from git, and the paths that must be shown or named all the same. */
const ways: Readonly<Record<string, (repository: Repository) => readonly string[]>> = {
  'a flag of the index: assume-unchanged': ({ git, write }) => {
    git('update-index', '--assume-unchanged', page);
    write(page, 'EVIL\n');
    return [page];
  },
  'a flag of the index: skip-worktree': ({ git, write }) => {
    git('update-index', '--skip-worktree', page);
    write(page, 'EVIL\n');
    return [page];
  },
  'a sparse checkout without the file': ({ git, write }) => {
    git('sparse-checkout', 'set', '--no-cone', '/other.txt');
    write(page, 'EVIL\n');
    return [page];
  },
  'an index that names another content for the file on the disk': ({ cwd, git, write }) => {
    write('.git/good', 'good\n');
    git('config', 'filter.x.clean', 'cat .git/good');
    write('.git/info/attributes', `${page} filter=x\n`);
    write(page, 'EVIL\n');
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(cwd, page), past, past);
    git('add', page);
    rmSync(join(cwd, '.git/info/attributes'));
    git('config', '--unset', 'filter.x.clean');
    expect(git('status', '--porcelain')).toBe('');
    return [page];
  },
  'a filter that only this clone knows': ({ cwd, git, write }) => {
    write('.git/good', 'good\n');
    git('config', 'filter.x.clean', 'cat .git/good');
    write('.git/info/attributes', `${page} filter=x\n`);
    write(page, 'EVIL\n');
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(cwd, page), past, past);
    git('add', page);
    expect(git('status', '--porcelain')).toBe('');
    return [page];
  },
  'equal size and time, with settings that trust them': ({ cwd, git, write }) => {
    git('config', 'core.trustctime', 'false');
    git('config', 'core.checkStat', 'minimal');
    const { atime, mtime } = statSync(join(cwd, page));
    write(page, 'EVIL\n');
    utimesSync(join(cwd, page), atime, mtime);
    return [page];
  },
  'a setting that folds case where the file system does not': ({ git, write }) => {
    git('config', 'core.ignoreCase', 'true');
    write('PAGE.txt', 'EVIL\n');
    return ['PAGE.txt'];
  },
  'a split index': ({ git, write }) => {
    git('update-index', '--split-index');
    write(page, 'EVIL\n');
    return [page];
  },
  'a monitor that says nothing changed': ({ git, write }) => {
    git('config', 'core.fsmonitor', 'true');
    git('update-index', '--fsmonitor-valid', page);
    write(page, 'EVIL\n');
    return [page];
  },
  'a file that is added by its name only': ({ git, write }) => {
    write('new.txt', 'EVIL\n');
    git('add', '--intent-to-add', 'new.txt');
    return ['new.txt'];
  },
  'a repository inside, without a commit': ({ cwd, git, write }) => {
    mkdirSync(join(cwd, 'inner'));
    git('init', '-q', 'inner');
    write('inner/new.txt', 'EVIL\n');
    return ['inner'];
  },
  'a submodule with changes that are not committed': ({ cwd, git, write }) => {
    mkdirSync(join(cwd, 'inner'));
    git('init', '-q', 'inner');
    write('inner/old.txt', 'old\n');
    git('-C', 'inner', 'add', '.');
    git('-C', 'inner', 'commit', '-qm', 'inner');
    git('add', 'inner');
    git('commit', '-qm', 'with a submodule');
    write('inner/old.txt', 'EVIL\n');
    return ['inner'];
  },
};

function begun(): Repository {
  const repository = newRepository();
  repository.write(page, 'good\n');
  repository.write('other.txt', 'other\n');
  const past = new Date(Date.now() - 120_000);
  utimesSync(join(repository.cwd, page), past, past);
  repository.commit();
  return repository;
}

const store = () => tempFolder('trees');

/** The paths of which two saved trees show a difference. */
async function differences(
  trees: ReturnType<typeof savedTrees>,
  before: SavedTree,
  now: SavedTree,
): Promise<string[]> {
  const files = (await trees.changed(before.id, now.id)).map(({ path }) => path);
  const states = (['nested', 'unsaved', 'ignoring'] as const).flatMap((name) =>
    [...new Set([...Object.keys(before[name]), ...Object.keys(now[name])])].filter(
      (path) => before[name][path] !== now[name][path],
    ),
  );
  return [...files, ...states];
}

describe('a change that git was made to overlook', () => {
  it.each(Object.entries(ways))(
    'is in the diff of the working tree: %s [R2-006]',
    async (_, hide) => {
      const repository = begun();
      const paths = hide(repository);
      const { files } = await gitDiff({ cwd: repository.cwd }).diff({ kind: 'working-tree' });
      expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining([...paths]));
      for (const { path, hunks, submodule } of files)
        if (paths.includes(path))
          expect(submodule || JSON.stringify(hunks).includes('EVIL')).toBe(true);
    },
  );

  it.each(Object.entries(ways))('is in the saved tree: %s [R2-006]', async (_, hide) => {
    const repository = begun();
    const { cwd } = repository;
    const trees = savedTrees({ root: cwd, store: store() });
    const before = await trees.save();
    const flags = repository.git('ls-files', '-v');
    expect(await differences(trees, before, await trees.save())).toEqual([]);
    expect(repository.git('ls-files', '-v')).toBe(flags);
    const paths = hide(repository);
    const now = await trees.save();
    expect(await differences(trees, before, now)).toEqual(expect.arrayContaining([...paths]));
    const text = await trees.text(now.id, paths[0] ?? '');
    if (!(paths[0] ?? '').includes('inner')) expect(text).toBe('EVIL\n');
  });
});

/** Ways to hide a change that a commit would not contain either. */
const more: Readonly<Record<string, (repository: Repository) => string>> = {
  'rules of the clone that ignore it': ({ write }) => {
    write('.git/info/exclude', '# mine\nnew.txt\n');
    write('new.txt', 'EVIL\n');
    return '.git/info/exclude';
  },
  'rules elsewhere that ignore it': ({ git, write }) => {
    write('.git/rules', 'new.txt\n');
    git('config', 'core.excludesFile', '.git/rules');
    write('new.txt', 'EVIL\n');
    return '.git/rules';
  },
  'a folder that ignores itself': ({ write }) => {
    write('built/.gitignore', '*\n');
    write('built/new.txt', 'EVIL\n');
    return 'built';
  },
  'keywords that git removes': ({ git, write }) => {
    write('.git/info/attributes', '*.txt ident\n');
    write(page, 'good $Id: EVIL $\n');
    expect(git('status', '--porcelain')).not.toBe('');
    return page;
  },
  'a change of a file in a repository inside that has none of its files': ({ cwd, git, write }) => {
    mkdirSync(join(cwd, 'inner'));
    git('init', '-q', 'inner');
    write('inner/new.txt', 'EVIL\n');
    return 'inner';
  },
};

it.each(Object.entries(more))('what is not reviewed is named: %s [R2-006]', async (_, hide) => {
  const repository = begun();
  const trees = savedTrees({ root: repository.cwd, store: store() });
  const before = await trees.save();
  const path = hide(repository);
  expect(await differences(trees, before, await trees.save())).toContain(path);
});

it('notices each change in a repository inside, by its content [R2-006]', async () => {
  const { cwd, git, write } = begun();
  const trees = savedTrees({ root: cwd, store: store() });
  mkdirSync(join(cwd, 'inner'));
  git('init', '-q', 'inner');
  const states: string[] = [];
  for (const text of ['one\n', 'two\n', 'one\n']) {
    write('inner/new.txt', text);
    states.push((await trees.save()).nested['inner'] ?? '');
  }
  expect(states[0]).toBe(states[2]);
  expect(states[0]).not.toBe(states[1]);
});

it('files under a filter of the repository are changed only if git says so', async () => {
  const { cwd, git, write, commit } = newRepository();
  git('config', 'filter.big.clean', 'sed s/whole/pointer/');
  git('config', 'filter.big.smudge', 'sed s/pointer/whole/');
  write('.gitattributes', '*.bin filter=big\n');
  write('a.bin', 'whole\n');
  write('b.bin', 'whole\n');
  const past = new Date(Date.now() - 60_000);
  for (const name of ['a.bin', 'b.bin']) utimesSync(join(cwd, name), past, past);
  commit();
  const { files: none } = await gitDiff({ cwd }).diff({ kind: 'working-tree' });
  expect(none).toEqual([]);
  const trees = savedTrees({ root: cwd, store: store() });
  expect((await trees.save()).id).toBe(await trees.lastCommit());
  write('b.bin', 'whole and more\n');
  const { files } = await gitDiff({ cwd }).diff({ kind: 'working-tree' });
  expect(files.map(({ path }) => path)).toEqual(['b.bin']);
});
