import { describe, expect, it } from 'vitest';
import type { DiffFile } from '../../../src/diff/diff-source.js';
import { neighbourSamples } from '../../../src/reviewer-stage/neighbour-samples.js';

type Contents = Readonly<Record<string, string>>;
const fileOf = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  ...{ path, status: 'modified', added: 1, removed: 0, binary: false, submodule: false },
  ...{ header: '', hunks: [], omitted: false },
  ...more,
});

/** The samples beside these files, and what was read for them. */
async function samplesOf(
  changed: readonly DiffFile[],
  contents: Contents,
  more: { readonly files?: number; readonly tokens?: number } = {},
) {
  const calls: string[] = [];
  const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');
  const source = {
    read: async (path: string) => {
      calls.push(`read ${path}`);
      return contents[path];
    },
    list: async (folder: string) => {
      calls.push(`list ${folder}`);
      return Object.keys(contents).filter((path) => folderOf(path) === folder);
    },
  };
  const samples = await neighbourSamples(changed, source, {
    ...{ files: 4, tokens: 100, signal: undefined, ...more },
    counter: { id: 'letters', count: async (text) => text.length },
    clean: async (text) => text.replaceAll('SECRET', '*'),
  });
  return { samples, calls, paths: samples.map(({ path }) => path) };
}

describe('samples of neighbouring code', () => {
  it('are files of the same folder and kind that did not change, in the order of their names', async () => {
    const contents = {
      'src/c.ts': 'c',
      'src/b.ts': 'b',
      'src/a.ts': 'a',
      'src/x.css': 'x',
      'b.ts': 'b',
    };
    const { samples, calls } = await samplesOf(
      [fileOf('src/a.ts'), fileOf('src/z.ts', { oldPath: 'src/y.ts', status: 'renamed' })],
      { ...contents, 'src/y.ts': 'y' },
    );
    expect(samples).toEqual([
      { path: 'src/b.ts', content: 'b' },
      { path: 'src/c.ts', content: 'c' },
    ]);
    expect(calls).toEqual(['list src', 'read src/b.ts', 'read src/c.ts']);
  });

  it('are taken in turns from each folder and kind, each folder listed once', async () => {
    const { paths, calls } = await samplesOf(
      [fileOf('x/a.ts'), fileOf('x/a.css'), fileOf('y/a.ts'), fileOf('a.ts')],
      { 'x/1.ts': '1', 'x/2.ts': '2', 'x/1.css': '1', 'y/1.ts': '1', 'b.ts': 'b' },
      { files: 9 },
    );
    expect(paths).toEqual(['x/1.ts', 'x/1.css', 'y/1.ts', 'b.ts', 'x/2.ts']);
    expect(calls.filter((call) => call.startsWith('list'))).toEqual(['list x', 'list y', 'list ']);
  });

  it('are at most as many as are wanted, and none costs no reading', async () => {
    const contents = { '1.ts': '1', '2.ts': '2', '3.ts': '3' };
    const of = (files: number) => samplesOf([fileOf('a.ts')], contents, { files });
    expect((await of(2)).paths).toEqual(['1.ts', '2.ts']);
    expect((await of(2)).calls).toHaveLength(3);
    expect(await of(0)).toMatchObject({ samples: [], calls: [] });
  });

  it('leave out files that are empty, gone, or without a kind', async () => {
    const { paths } = await samplesOf([fileOf('a.ts')], { '1.ts': ' \n', '2.ts': 'two' });
    expect(paths).toEqual(['2.ts']);
    for (const path of ['Makefile', '.gitignore', 'src.d/Makefile'])
      expect(await samplesOf([fileOf(path)], { Other: 'x', '.npmrc': 'x' })).toMatchObject({
        ...{ samples: [], calls: [] },
      });
    expect((await samplesOf([fileOf('.a.ts')], { 'b.ts': 'b' })).paths).toEqual(['b.ts']);
  });

  it('are not looked for beside what nobody can compare', async () => {
    for (const more of [{ binary: true }, { submodule: true }, { status: 'deleted' }] as const)
      expect((await samplesOf([fileOf('a.ts', more)], { 'b.ts': 'b' })).calls).toEqual([]);
  });

  it('are looked for in a bounded number of folders and files', async () => {
    const folders = Array.from({ length: 60 }, (_, index) => fileOf(`${index}/a.ts`));
    expect((await samplesOf(folders, {})).calls).toHaveLength(50);
    const empty = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`${String(index).padStart(2, '0')}.ts`, ' ']),
    );
    const { calls } = await samplesOf([fileOf('a.ts')], empty);
    expect(calls.filter((call) => call.startsWith('read'))).toHaveLength(20);
  });

  it('are cut at a line to their limit, without secrets, and say how much is left out', async () => {
    const contentOf = async (content: string): Promise<string> =>
      (await samplesOf([fileOf('a.ts')], { 'b.ts': content }, { tokens: 20 })).samples[0]
        ?.content ?? '';
    expect(await contentOf('x'.repeat(20))).toBe('x'.repeat(20));
    expect(await contentOf('SECRET is here')).toBe('* is here');
    expect(await contentOf(`${'x'.repeat(15)}\n${'y'.repeat(24)}`)).toBe(
      `${'x'.repeat(15)}\n[25 characters left out]`,
    );
    expect(await contentOf('x'.repeat(50))).toBe(`${'x'.repeat(20)}\n[30 characters left out]`);
    expect(await contentOf(`\n${'x'.repeat(50)}`)).toBe(
      `\n${'x'.repeat(19)}\n[31 characters left out]`,
    );
  });
});
