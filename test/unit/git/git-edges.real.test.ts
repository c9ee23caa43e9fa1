import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runGit } from '@/git/git-command.js';
import { gitApplyCheck, gitDiff, gitFiles } from '@/git/index.js';
import { newRepository } from '../../support/git-repository.js';
import { errorWith } from '../../support/matchers.js';

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
