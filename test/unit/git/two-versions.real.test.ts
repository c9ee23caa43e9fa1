import { expect, it } from 'vitest';
import { filesInTwoVersions } from '@/git/revisions.js';
import { newRepository } from '../../support/git-repository.js';

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
