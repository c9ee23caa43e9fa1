import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { digestOfFile, makeFolder, readTextFile, writeFileAtomic } from '@/node/files.js';
import { globMatcher, globRoot, isGlob } from '@/node/glob.js';
import { insideFolder } from '@/node/inside-root.js';
import { listFiles } from '@/node/list-files.js';
import { readPlainText } from '@/node/plain-file.js';
import { expectCode } from '../../support/matchers.js';
import { tempFolder } from '../../support/temp-folder.js';
import { folderOf } from '../faces/cli/harness.js';

const maxBytes = 1000;

describe('reading', () => {
  test('text, binary and what is not UTF-8 are told apart', async () => {
    const folder = await folderOf({
      a: 'täxt',
      b: Buffer.from([1, 0, 2]),
      c: Buffer.from([0xe4, 0x20]),
      d: '\ufeffmark',
      e: '',
    });
    const kinds = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => readTextFile(join(folder, name), { maxBytes })),
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['text', 'binary', 'not_utf8', 'text', 'text']);
    expect(kinds[3]).toMatchObject({ text: 'mark', bom: true, bytes: 7 });
  });

  test('a large text is refused, a large binary is told as binary', async () => {
    const folder = await folderOf({ text: 'x'.repeat(2000), binary: Buffer.alloc(2000) });
    await expectCode(
      readTextFile(join(folder, 'text'), { shown: 'text', maxBytes }),
      'file_too_large',
    );
    expect(await readTextFile(join(folder, 'binary'), { maxBytes })).toEqual({ kind: 'binary' });
  });

  test('what is not there or is a folder', async () => {
    const folder = await folderOf();
    await expectCode(readTextFile(join(folder, 'none'), { maxBytes }), 'file_unreadable');
    await expectCode(readTextFile(folder, { maxBytes }), 'file_unreadable');
    expect(await digestOfFile(join(folder, 'none'))).toBeUndefined();
  });
});

describe('writing', () => {
  test('replaces whole files and keeps their mode', async () => {
    const folder = await folderOf({ a: 'old' });
    await chmod(join(folder, 'a'), 0o640);
    await writeFileAtomic(join(folder, 'a'), 'new');
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('new');
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['a']);
  });

  test('a file where a folder should be', async () => {
    const folder = await folderOf({ a: 'file' });
    await expectCode(writeFileAtomic(join(folder, 'a', 'b'), 'x'), 'output_unwritable');
    await expectCode(makeFolder(join(folder, 'a', 'b')), 'output_unwritable');
    await mkdir(join(folder, 'full'));
    await expectCode(writeFileAtomic(join(folder, 'full'), 'x'), 'output_unwritable');
    expect(await readdir(folder)).toEqual(['a', 'full']);
  });
});

describe('listing', () => {
  const listed = async (folder: string, paths: string[], exclude: string[] = []) =>
    (await listFiles(paths, { cwd: folder, maxFiles: 10, exclude })).files.map(({ path }) => path);

  test('folders, files and globs, each file once', async () => {
    const folder = await folderOf({
      'b/x.css': '',
      'a.html': '',
      'b/c/y.html': '',
      'node_modules/m.js': '',
      '.git/c': '',
      '.reviewloop/r': '',
    });
    expect(await listed(folder, ['.'])).toEqual(['a.html', 'b/c/y.html', 'b/x.css']);
    expect(await listed(folder, ['b', 'b/x.css', '**/*.html'])).toEqual([
      'a.html',
      'b/c/y.html',
      'b/x.css',
    ]);
    expect(await listed(folder, ['.'], ['b/c', '*.html'])).toEqual(['b/x.css']);
  });

  test('a link in a folder is told, not followed', async () => {
    const folder = await folderOf({ 'a/x': '', secret: '' });
    await symlink(join(folder, 'secret'), join(folder, 'a/link'));
    await symlink(folder, join(folder, 'a/loop'));
    expect(
      (await listFiles(['a'], { cwd: folder, maxFiles: 10 })).skipped.map(({ path }) => path),
    ).toEqual(['a/link', 'a/loop']);
  });

  test('a file may have the name of a glob', async () => {
    const folder = await folderOf({ 'a*.html': '', 'ab.html': '' });
    expect(await listed(folder, ['a*.html'])).toEqual(['a*.html']);
  });

  test('typed errors', async () => {
    const folder = await folderOf(
      Object.fromEntries([...Array(11).keys()].map((index) => [`${index}`, ''])),
    );
    await expectCode(listed(folder, ['.']), 'too_many_files');
    await expectCode(listed(folder, ['none']), 'file_unreadable');
    await expectCode(listed(folder, ['*.none']), 'no_artifacts');
    await expectCode(listed(folder, ['/dev/null']), 'file_unreadable');
    await writeFile(join(folder, '0'), 'x');
  });
});

test('no path of an artifact leads out of its folder', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', '...', 'C:', '~', '/', '\\', '..\\..', '\0', 'x'.repeat(300)),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const inside = relative('/store/run', insideFolder('/store/run', parts.join('/')));
      return inside !== '' && !inside.split('/').includes('..') && !inside.startsWith('/');
    }),
  );
});

describe('globs', () => {
  test.each([
    ['*.html', 'a.html', true],
    ['*.html', 'x/a.html', false],
    ['**/*.html', 'a.html', true],
    ['**/*.html', 'x/y/a.html', true],
    ['site/**', 'site/a/b.css', true],
    ['site/**', 'sites/a', false],
    ['a?.md', 'ab.md', true],
    ['a?.md', 'a/.md', false],
    ['*.{html,css}', 'a.css', true],
    ['{a,b}/{c,d}.js', 'b/c.js', true],
    ['./a/*.js', 'a/b.js', true],
    ['a.c', 'abc', false],
    ['**/a/**/b', 'a/b', true],
    ['app/(shop)/*.tsx', 'app/(shop)/page.tsx', true],
    ['app/[id]/*.tsx', 'app/[id]/page.tsx', true],
    ['**/node_modules/**', '../x/node_modules/y', true],
    ['*', '.env', true],
    ['{1..3}', '2', false],
  ])('%s and %s: %s', (pattern, path, expected) =>
    expect(globMatcher(pattern)(path)).toBe(expected),
  );

  test('plain paths match themselves', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.[\]()+^$|\\-]{1,10}$/), (name) =>
        globMatcher(`x/${name}`)(`x/${name}`),
      ),
    );
  });

  test('a pattern that makes others try for ever answers at once', () => {
    expect(globMatcher(`${'*a'.repeat(30)}b`)('a'.repeat(2000))).toBe(false);
    expect(globMatcher(`${'**/'.repeat(20)}b`)('a/'.repeat(200))).toBe(false);
    expect(globMatcher('**/*-*-*-*.js')(`x/${'-'.repeat(5000)}`)).toBe(false);
  });

  test('too many alternatives are refused', () => {
    expect(() => globMatcher('{a,b}'.repeat(10))).toThrow(/256 alternatives/);
  });

  test('roots', () => {
    expect(['*.js', 'a/*.js', 'a/b/**', '/x/*.js', '/*.js'].map(globRoot)).toEqual([
      '.',
      'a',
      'a/b',
      '/x',
      '/',
    ]);
    expect([isGlob('a.js'), isGlob('a*.js')]).toEqual([false, true]);
  });
});

it.runIf(process.platform !== 'win32')(
  'a link, a pipe, a device and a folder are refused',
  async () => {
    const folder = tempFolder('reviewloop-plain');
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('file'), 'tea');
    symlinkSync(at('file'), at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    expect(await readPlainText(at('file'))).toBe('tea');
    for (const path of [at('link'), at('pipe'), folder, '/dev/zero'])
      await expect(readPlainText(path), path).rejects.toThrow();
  },
);
