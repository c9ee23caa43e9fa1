import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { gitDiff, gitFiles } from '@/git/index.js';
import { newRepository, type Repository } from '../../support/git-repository.js';

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
