import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { gitApplyCheck } from '@/node/git/apply-check.js';
import { runGit } from '@/node/git/git-command.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { gitFiles } from '@/node/git/git-files.js';
import { filesInTwoVersions } from '@/node/git/repository.js';
import { newRepository, type Repository } from '../../../support/git-repository.js';
import { errorWith } from '../../../support/matchers.js';

const range = { kind: 'range', range: 'HEAD~1..HEAD' } as const;

/** The subcommands of git that were started meanwhile, told by a git that notes them and goes on as git. */
async function gitsOf(repository: Repository, work: () => Promise<unknown>): Promise<string[]> {
  const folder = join(repository.cwd, '.git', 'noting');
  const notes = join(folder, 'notes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\necho "$2" >> '${notes}'\nPATH='${process.env['PATH'] ?? ''}' exec git "$@"\n`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
  try {
    await work();
  } finally {
    vi.unstubAllEnvs();
  }
  return readFileSync(notes, 'utf8').trim().split('\n');
}

describe('the files of a commit', () => {
  it('are read by two gits together, however many they are [RV-66]', async () => {
    const repository = newRepository();
    const paths = Array.from({ length: 60 }, (_, index) => `f${index}.txt`);
    for (const path of paths) repository.write(path, `text of ${path}\n`);
    repository.commit();
    const source = gitFiles({ head: repository.git('rev-parse', 'HEAD') }, { cwd: repository.cwd });
    await source.read('f0.txt');
    let texts: (string | undefined)[] = [];
    const gits = await gitsOf(repository, async () => {
      texts = await Promise.all(paths.map((path) => source.read(path)));
    });
    expect(texts).toEqual(paths.map((path) => `text of ${path}\n`));
    expect(gits).toEqual(['cat-file', 'cat-file']);
  });

  it('are told from what is not there, no text, too large, a folder or a link, whatever stands beside them', async () => {
    const repository = newRepository();
    repository.write('before.txt', 'before\n');
    repository.commit();
    repository.write('a.txt', '3 missing\n17\nblob 4\n');
    repository.write('empty.txt', '');
    repository.write('replacement.txt', 'a \ufffd stands here\n');
    repository.write('with\nbreak.txt', 'odd\n');
    repository.write('blob 7 ü.txt', 'named\n');
    repository.write('folder/in.txt', 'in\n');
    repository.write('large.txt', 'x'.repeat(200));
    writeFileSync(join(repository.cwd, 'binary.txt'), Buffer.from([97, 0, 98]));
    writeFileSync(join(repository.cwd, 'latin.txt'), Buffer.from([0xe9, 10]));
    repository.commit();
    const diff = await gitDiff({ cwd: repository.cwd }).diff(range);
    const source = gitFiles(diff, { cwd: repository.cwd, maxBytes: 100 });
    const read = (path: string) => source.read(path);
    expect(await read('empty.txt')).toBe('');
    const there = [
      'a.txt',
      'missing.txt',
      'empty.txt',
      'large.txt',
      'replacement.txt',
      'with\nbreak.txt',
      'folder',
      'blob 7 ü.txt',
      'binary.txt',
      'latin.txt',
      'no\nsuch.txt',
      'a.txt',
    ];
    expect(await Promise.all(there.map(read))).toEqual([
      '3 missing\n17\nblob 4\n',
      undefined,
      '',
      undefined,
      'a \ufffd stands here\n',
      'odd\n',
      undefined,
      'named\n',
      undefined,
      undefined,
      undefined,
      '3 missing\n17\nblob 4\n',
    ]);
  });

  it('fail alone for whom has given up, and for all where git does', async () => {
    const repository = newRepository();
    repository.write('a.txt', 'a\n');
    repository.commit();
    const source = gitFiles({ head: repository.git('rev-parse', 'HEAD') }, { cwd: repository.cwd });
    await source.read('a.txt');
    const [given, kept] = await Promise.allSettled([
      source.read('a.txt', { signal: AbortSignal.abort() }),
      source.read('a.txt'),
    ]);
    expect(given).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } });
    expect(kept).toEqual({ status: 'fulfilled', value: 'a\n' });
    await expect(
      gitFiles({ head: 'staged' }, { cwd: join(repository.cwd, '.git') }).read('a.txt'),
    ).rejects.toMatchObject({ code: 'not_a_repository' });
  });
});

it('a range may leave out a side, and its ends must have a common history where it has three dots', async () => {
  const { cwd, git, write, commit } = newRepository();
  write('a.txt', 'one\n');
  const first = commit();
  write('a.txt', 'two\n');
  const second = commit();
  const { diff } = gitDiff({ cwd });
  expect(await diff({ kind: 'range', range: `${first}..` })).toMatchObject({
    base: first,
    head: second,
  });
  expect(await diff({ kind: 'range', range: `..${first}` })).toMatchObject({
    base: second,
    head: first,
  });
  git('checkout', '-q', '--orphan', 'other');
  const orphan = commit('another beginning');
  await expect(diff({ kind: 'range', range: `${first}...${orphan}` })).rejects.toMatchObject(
    errorWith('revision_unknown', 'no common history'),
  );
  for (const request of [{ kind: 'range', range: 7 }, { kind: 'everything' }, undefined])
    await expect(diff(request as never), JSON.stringify(request)).rejects.toMatchObject({
      code: 'invalid_options',
    });
  for (const base of ['', 'a\0b', 7])
    await expect(
      diff({ kind: 'working-tree', base: base as string }),
      String(base),
    ).rejects.toMatchObject({ code: 'revision_unknown' });
  await expect(
    runGit(['log'], { cwd, timeoutMs: 10_000, maxOutputBytes: 10 }),
  ).rejects.toMatchObject({ code: 'diff_too_large' });
});

it('files are read within a bound, as text, and never through a link; folders tell their own files only', async () => {
  const { cwd, write, commit } = newRepository();
  write('a.txt', 'text\n');
  write('large.txt', 'x'.repeat(2000));
  write('data.bin', Buffer.from([0, 1, 2]));
  write('sub/b.txt', 'below\n');
  symlinkSync('a.txt', join(cwd, 'link.txt'));
  const head = commit();
  for (const state of [head, 'staged', 'working-tree']) {
    const files = gitFiles({ head: state }, { cwd, maxBytes: 1000 });
    expect(await files.read('a.txt'), state).toBe('text\n');
    for (const path of ['large.txt', 'data.bin', 'gone.txt'])
      expect(await files.read(path), `${state} ${path}`).toBeUndefined();
    expect((await files.list('')).toSorted(), state).toEqual(['a.txt', 'data.bin', 'large.txt']);
    expect(await files.list('sub'), state).toEqual(['sub/b.txt']);
  }
  expect(await gitFiles({ head: 'working-tree' }, { cwd }).read('link.txt')).toBeUndefined();
  expect(() => gitFiles({ head: 'HEAD' })).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  );
});

it('diffs are tried one after another on copies of the files, and the one that does not fit is named', async () => {
  const check = gitApplyCheck({ timeoutMs: 20_000 });
  const change = (from: string, to: string): string =>
    `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
  const files = { 'a.txt': 'one\n' };
  expect(
    await check({ files, before: [], diffs: [change('one', 'two'), change('two', 'three')] }),
  ).toBeUndefined();
  expect(
    await check({ files, before: [change('one', 'two')], diffs: [change('two', 'three')] }),
  ).toBeUndefined();
  expect(
    await check({ files, before: [change('zero', 'x')], diffs: [change('zero', 'two')] }),
  ).toMatch(/^error: patch failed: a\.txt:1/);
  expect(
    await check({ files, before: [], diffs: [change('one', 'two'), change('one', 'x')] }),
  ).toMatch(/^diff 2: /);
  expect(await check({ files, before: [], diffs: ['this is no diff'] })).toMatch(
    /No valid patches|unrecognized/i,
  );
  expect(() => gitApplyCheck({ timeoutMs: 0 })).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  );
});

it('a file whose staged version is not the one in the folder is named', async () => {
  const { cwd, git, write, commit } = newRepository();
  const named = () => filesInTwoVersions(cwd, { paths: [], signal: new AbortController().signal });
  write('a.md', 'one\n');
  git('add', '-A');
  expect(await named()).toEqual([]);
  write('b.md', 'one\n');
  commit();
  write('a.md', 'two, staged\n');
  git('add', 'a.md');
  write('b.md', 'two, not staged\n');
  expect(await named()).toEqual([]);
  write('a.md', 'three, not staged\n');
  expect(await named()).toEqual(['a.md']);
});
