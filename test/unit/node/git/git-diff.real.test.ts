import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diff, DiffFile } from '@/core/diff/diff-source.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { newRepository, type Repository, repositoryAt } from '../../../support/git-repository.js';
import { expectCode } from '../../../support/matchers.js';

const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');
const fileOf = (diff: Diff, path: string): DiffFile => {
  const found = diff.files.find((file) => file.path === path);
  if (found === undefined)
    throw new Error(`no ${path} among ${diff.files.map((file) => file.path).join(', ')}`);
  return found;
};
const pathsOf = ({ files }: Diff): string[] => files.map(({ path }) => path);
const changesOf = ({ files }: Diff): string[] =>
  files.map(({ path, status }) => `${status} ${path}`);
const workingTree = (repository: Repository, base?: string): Promise<Diff> =>
  gitDiff({ cwd: repository.cwd }).diff({
    kind: 'working-tree',
    ...(base !== undefined && { base }),
  });

describe('gitDiff', () => {
  it('tells new, modified, deleted, renamed and binary files with their counts and hunks', async () => {
    const repository = newRepository();
    repository.write('stays.txt', lines(30));
    repository.write('goes.txt', 'gone\n');
    repository.write('old name.txt', lines(40, 'moved'));
    repository.write('image.png', Buffer.from([137, 80, 78, 71, 0, 1, 2]));
    const base = repository.commit();
    repository.write(
      'stays.txt',
      lines(30).replace('line 3\n', 'LINE 3\n').replace('line 25\n', ''),
    );
    rmSync(join(repository.cwd, 'goes.txt'));
    repository.git('mv', 'old name.txt', 'new näme.txt');
    repository.write('image.png', Buffer.from([137, 80, 78, 71, 0, 9, 9]));
    repository.write('-- dash.txt', '-- a\n++ b\n');
    const head = repository.commit();
    const diff = await gitDiff({ cwd: repository.cwd }).diff({
      kind: 'range',
      range: `${base}..${head}`,
    });
    expect(diff).toMatchObject({ base, head });
    expect(fileOf(diff, 'stays.txt')).toMatchObject({
      status: 'modified',
      added: 1,
      removed: 2,
      binary: false,
      omitted: false,
    });
    expect(fileOf(diff, 'stays.txt').hunks).toHaveLength(2);
    expect(fileOf(diff, 'goes.txt')).toMatchObject({ status: 'deleted', removed: 1 });
    expect(fileOf(diff, 'new näme.txt')).toMatchObject({
      status: 'renamed',
      oldPath: 'old name.txt',
      added: 0,
    });
    expect(fileOf(diff, 'image.png')).toMatchObject({
      status: 'modified',
      binary: true,
      hunks: [],
    });
    expect(fileOf(diff, '-- dash.txt')).toMatchObject({
      status: 'new',
      added: 2,
      hunks: [{ lines: ['+-- a', '+++ b'] }],
    });
  });

  it('takes the working tree with untracked files, without touching the index, and leaves ignored ones out', async () => {
    const repository = newRepository();
    repository.write('a.txt', 'a\n');
    repository.write('.gitignore', 'ignored\n');
    const base = repository.commit();
    repository.write('a.txt', 'b\n');
    repository.write('deep/new file.txt', 'untracked\n');
    repository.write('ignored', 'x\n');
    const before = [
      repository.git('status', '--porcelain'),
      readFileSync(join(repository.cwd, '.git/index')).toString('hex'),
    ];
    const diff = await workingTree(repository);
    expect(diff).toMatchObject({ base, head: 'working-tree' });
    expect(changesOf(diff)).toEqual(['modified a.txt', 'new deep/new file.txt']);
    expect([
      repository.git('status', '--porcelain'),
      readFileSync(join(repository.cwd, '.git/index')).toString('hex'),
    ]).toEqual(before);
  });

  it('compares with a recorded base, so that later commits stay in the diff (D002-02)', async () => {
    const repository = newRepository();
    repository.write('a.txt', 'a\n');
    repository.commit('the task before');
    const base = await gitDiff({ cwd: repository.cwd }).head();
    repository.write('b.txt', 'b\n');
    repository.commit('work');
    repository.write('c.txt', 'c\n');
    expect(pathsOf(await workingTree(repository, base))).toEqual(['b.txt', 'c.txt']);
    expect(pathsOf(await workingTree(repository))).toEqual(['c.txt']);
  });

  it('works before the first commit: staged, untracked, and from the recorded empty tree', async () => {
    const repository = newRepository();
    const source = gitDiff({ cwd: repository.cwd });
    expect((await source.diff({ kind: 'working-tree' })).files).toEqual([]);
    const base = await source.head();
    repository.write('a.txt', 'a\n');
    repository.git('add', 'a.txt');
    repository.write('b.txt', 'b\n');
    expect(await source.diff({ kind: 'staged' })).toMatchObject({
      base,
      head: 'staged',
      files: [{ path: 'a.txt', status: 'new', added: 1 }],
    });
    expect(pathsOf(await source.diff({ kind: 'working-tree' }))).toEqual(['a.txt', 'b.txt']);
    repository.commit();
    expect(pathsOf(await source.diff({ kind: 'working-tree', base }))).toEqual(['a.txt', 'b.txt']);
  });

  it('takes A...B from where the histories parted, and a missing side as HEAD', async () => {
    const repository = newRepository();
    repository.write('a.txt', 'a\n');
    const fork = repository.commit();
    repository.git('checkout', '-qb', 'side');
    repository.write('side.txt', 's\n');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write('main.txt', 'm\n');
    repository.commit();
    const source = gitDiff({ cwd: repository.cwd });
    expect(await source.diff({ kind: 'range', range: 'main...side' })).toMatchObject({
      base: fork,
      files: [{ path: 'side.txt', status: 'new' }],
    });
    expect(changesOf(await source.diff({ kind: 'range', range: 'side..' }))).toEqual([
      'new main.txt',
      'deleted side.txt',
    ]);
  });

  it('keeps modes, links and files in conflict apart', async () => {
    const repository = newRepository();
    repository.write('run.sh', 'echo\n');
    repository.write('link', 'text\n');
    repository.write('both.txt', 'base\n');
    repository.commit();
    repository.git('checkout', '-qb', 'side');
    repository.write('both.txt', 'side\n');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write('both.txt', 'main\n');
    repository.commit();
    expect(() => repository.git('merge', 'side')).toThrow();
    chmodSync(join(repository.cwd, 'run.sh'), 0o755);
    rmSync(join(repository.cwd, 'link'));
    symlinkSync('run.sh', join(repository.cwd, 'link'));
    repository.write('after.txt', 'z\n');
    repository.write('zz.txt', 'z\n');
    const diff = await workingTree(repository);
    expect(fileOf(diff, 'run.sh')).toMatchObject({
      status: 'mode_changed',
      oldMode: '100644',
      newMode: '100755',
    });
    expect(fileOf(diff, 'link')).toMatchObject({ status: 'type_changed' });
    expect(fileOf(diff, 'both.txt')).toMatchObject({
      status: 'modified',
      hunks: [{ lines: expect.arrayContaining(['+<<<<<<< HEAD']) }],
    });
    const staged = await gitDiff({ cwd: repository.cwd }).diff({ kind: 'staged' });
    expect(staged.files).toMatchObject([{ path: 'both.txt', status: 'unmerged', hunks: [] }]);
    expect(fileOf(diff, 'zz.txt').hunks).toMatchObject([{ lines: ['+z'] }]);
  });

  it('reads names that are no UTF-8, and names that hold anything', async () => {
    const repository = newRepository();
    repository.commit();
    const names = [
      'tab\there',
      'line\nbreak',
      'quote"s',
      'back\\slash',
      'trailing ',
      'a b/c b/d',
      '--output=x',
    ];
    for (const name of names) repository.write(name, `${name.length}\n`);
    repository.write(Buffer.from([0x62, 0xff, 0x61]), 'c\n');
    const diff = await workingTree(repository);
    expect(pathsOf(diff).sort()).toEqual([...names, 'b\ufffda'].sort());
    for (const { hunks } of diff.files) expect(hunks).toHaveLength(1);
    expect(fileOf(diff, 'b\ufffda').hunks[0]?.lines).toEqual(['+c']);
  });

  it('shows submodules by their commits, and works in worktrees and sub-folders', async () => {
    const repository = newRepository();
    repository.write('sub/deep.txt', 'a\n');
    mkdirSync(join(repository.cwd, 'module'));
    const module = repositoryAt(join(repository.cwd, 'module'));
    module.commit();
    repository.commit();
    const side = join(repository.cwd, '..', `${repository.cwd.split('/').at(-1)}-tree`);
    repository.git('worktree', 'add', '-q', side);
    writeFileSync(join(side, 'in-tree.txt'), 'x\n');
    const inTree = await gitDiff({ cwd: side }).diff({ kind: 'working-tree' });
    rmSync(side, { recursive: true, force: true });
    expect(pathsOf(inTree)).toContain('in-tree.txt');
    module.commit('later');
    repository.write('sub/deep.txt', 'b\n');
    repository.write('top.txt', 'x\n');
    const diff = await gitDiff({ cwd: join(repository.cwd, 'sub') }).diff({ kind: 'working-tree' });
    expect(fileOf(diff, 'module')).toMatchObject({ submodule: true, status: 'modified' });
    expect(pathsOf(diff)).toEqual(['module', 'sub/deep.txt', 'top.txt']);
    expect(
      pathsOf(
        await gitDiff({ cwd: join(repository.cwd, 'sub'), paths: ['.'] }).diff({
          kind: 'working-tree',
        }),
      ),
    ).toEqual(['sub/deep.txt']);
  });

  it('starts no program that the repository names: filters, monitors, hooks, external diffs, text conversions', async () => {
    const repository = newRepository();
    repository.write('a.txt', 'a\n');
    repository.write('.gitattributes', '*.txt filter=evil diff=evil\n');
    repository.commit();
    const trap = join(repository.cwd, '.git', 'sprung');
    const program = join(repository.cwd, '.git', 'evil.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0" >> '${trap}'\ncat\n`, { mode: 0o755 });
    for (const [name, value] of [
      ['filter.evil.clean', program],
      ['filter.evil.process', program],
      ['filter.evil.required', 'true'],
      ['diff.evil.textconv', program],
      ['diff.evil.command', program],
      ['diff.external', program],
      ['core.fsmonitor', program],
      ['core.pager', program],
      ['core.hooksPath', join(repository.cwd, '.git')],
    ] as const)
      repository.git('config', name, value);
    repository.write('a.txt', 'changed\n');
    repository.write('b.txt', 'new\n');
    const source = gitDiff({ cwd: repository.cwd });
    const diff = await source.diff({ kind: 'working-tree' });
    await source.diff({ kind: 'staged' });
    expect(diff.files.map(({ path, added }) => [path, added])).toEqual([
      ['a.txt', 1],
      ['b.txt', 1],
    ]);
    expect(existsSync(trap)).toBe(false);
  });

  it('keeps a bounded part of a huge diff, with every name and the true counts', async () => {
    const repository = newRepository();
    repository.commit();
    repository.write('huge.txt', lines(200_000));
    repository.write('small.txt', 'x\n');
    const diff = await gitDiff({ cwd: repository.cwd, maxBytes: 100_000 }).diff({
      kind: 'working-tree',
    });
    expect(diff.files).toMatchObject([
      { path: 'huge.txt', added: 200_000, omitted: true, hunks: [] },
      { path: 'small.txt', added: 1, omitted: false, hunks: [{}] },
    ]);
    expect(diff.text.length).toBeLessThan(1000);
  });

  it('refuses what is no repository, a bare one, and revisions that do not exist or look like options', async () => {
    const repository = newRepository();
    repository.write('a.txt', 'a\n');
    repository.commit();
    const bare = newRepository('--bare');
    const none = newRepository();
    renameSync(join(none.cwd, '.git'), join(none.cwd, 'git'));
    for (const cwd of [bare.cwd, none.cwd])
      await expectCode(gitDiff({ cwd }).diff({ kind: 'staged' }), 'not_a_repository');
    await expectCode(gitDiff({ cwd: join(repository.cwd, 'missing') }).head(), 'invalid_options');
    const source = gitDiff({ cwd: repository.cwd });
    const leak = join(repository.cwd, 'leak');
    for (const range of [
      'nothing..HEAD',
      'HEAD..nothing',
      `--output=${leak}..HEAD`,
      `HEAD..--output=${leak}`,
      '..',
      'HEAD',
      '',
      'HEAD..a b',
      'HEAD..$(touch leak)',
      'HEAD:a.txt..HEAD',
    ])
      await expect(source.diff({ kind: 'range', range }), range).rejects.toMatchObject({
        code: 'revision_unknown',
      });
    await expectCode(
      source.diff({ kind: 'working-tree', base: `--output=${leak}` }),
      'revision_unknown',
    );
    expect(existsSync(leak)).toBe(false);
    expect(() => gitDiff({ cwd: 7 as never })).toThrow(/cwd/);
    expect(() => gitDiff({ nope: 1 } as never)).toThrow(/nope/);
    expect(() => gitDiff({ paths: 'x' as never })).toThrow(/paths/);
    await expectCode(source.diff({ kind: 'other' } as never), 'invalid_options');
  });

  it('sees a change of equal size that was made in the same second as the commit', async () => {
    const repository = newRepository();
    for (let round = 0; round < 3; round += 1) {
      repository.write('a.txt', `${round}\n`);
      repository.commit();
      repository.write('a.txt', 'x\n');
      expect((await workingTree(repository)).text).toContain('+x');
    }
  });

  it('sees changes that flags of the index and settings of the repository hide', async () => {
    const repository = newRepository();
    const names = ['assumed.txt', 'skipped.txt', 'both.txt', 'gone.txt', 'sub/ä.txt', 'timed.txt'];
    for (const name of [...names, 'sparse.txt']) repository.write(name, 'old\n');
    repository.commit();
    const { git, cwd } = repository;
    git('config', 'core.trustctime', 'false');
    git('config', 'core.checkStat', 'minimal');
    const before = statSync(join(cwd, 'timed.txt'));
    git('update-index', '--assume-unchanged', 'assumed.txt', 'both.txt', 'gone.txt', 'sub/ä.txt');
    git('update-index', '--skip-worktree', 'skipped.txt', 'both.txt', 'sparse.txt');
    for (const name of names) repository.write(name, 'new\n');
    utimesSync(join(cwd, 'timed.txt'), before.atime, before.mtime);
    rmSync(join(cwd, 'gone.txt'));
    rmSync(join(cwd, 'sparse.txt'));
    const whole = await gitDiff({ cwd }).diff({ kind: 'working-tree' });
    expect(fileOf(whole, 'sparse.txt').status).toBe('deleted');
    git('config', 'core.sparseCheckout', 'true');
    const flags = git('ls-files', '-v');
    for (const at of [cwd, join(cwd, 'sub')]) {
      const diff = await gitDiff({ cwd: at }).diff({ kind: 'working-tree' });
      expect(changesOf(diff).sort()).toEqual([
        'deleted gone.txt',
        'modified assumed.txt',
        'modified both.txt',
        'modified skipped.txt',
        'modified sub/ä.txt',
        'modified timed.txt',
      ]);
    }
    expect(git('ls-files', '-v')).toBe(flags);
  });

  it('ends when it is told to', async () => {
    const repository = newRepository();
    const signal = AbortSignal.abort(new Error('enough'));
    await expectCode(gitDiff({ cwd: repository.cwd }).head({ signal }), 'cancelled');
  });
});

it.each([
  ['a new file', undefined, 'x="\xe9";\n', true],
  ['a changed file', 'x="\xe9";\n', 'y="\xe9";\n', true],
  ['a deleted file', 'x="\xe9";\n', undefined, false],
  ['a file that became UTF-8', 'x="\xe9";\n', 'x="e";\n', false],
])(
  '%s that is no UTF-8 is binary where its new lines cannot be read [R3-054]',
  async (...given) => {
    const [, before, after, binary] = given;
    const repository = newRepository();
    repository.write('other.js', 'const mark = "\uFFFD";\n');
    if (before !== undefined) repository.write('l.js', Buffer.from(before, 'latin1'));
    repository.commit();
    repository.write('other.js', 'const mark = "\uFFFD\uFFFD";\n');
    if (after === undefined) rmSync(join(repository.cwd, 'l.js'));
    else repository.write('l.js', Buffer.from(after, 'latin1'));
    const diff = await workingTree(repository);
    expect(fileOf(diff, 'l.js')).toMatchObject({ binary, omitted: false });
    expect(fileOf(diff, 'l.js').hunks).toHaveLength(binary ? 0 : 1);
    expect(fileOf(diff, 'other.js')).toMatchObject({ binary: false, added: 1 });
  },
);
