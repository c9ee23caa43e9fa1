import { describe, expect, it } from 'vitest';
import type { DiffFile, FileSource } from '@/core/diff/diff-source.js';
import {
  type ChangedFilesOptions,
  changedFilesOf,
} from '@/products/reviewer-stage/changed-files.js';
import { neighbourSamples } from '@/products/reviewer-stage/work-from-diff.js';
import { expectCode } from '../../../support/matchers.js';
import { diffFile } from '../diff-file.js';

const fileOf = ({ path = 'a.ts', ...more }: Partial<DiffFile> = {}): DiffFile =>
  diffFile(path, {
    ...{ removed: 1, oldMode: '100644', newMode: '100644', header: 'diff --git a/a.ts b/a.ts\n' },
    hunks: [
      {
        ...{ header: '@@ -1 +1 @@', oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
        lines: ['-old', '+new'],
      },
    ],
    ...more,
  });
const patch = 'diff --git a/a.ts b/a.ts\n@@ -1 +1 @@\n-old\n+new\n';
/** Counts letters. */
const tokens = { id: 'letters', count: async (text: string) => text.length };
const holding = (
  contents: Readonly<Record<string, string>>,
): FileSource & { readonly read: unknown } => ({
  read: async (path) => contents[path],
  list: async () => [],
});

function changed(files: readonly DiffFile[], more: Partial<ChangedFilesOptions> = {}) {
  return changedFilesOf(
    { base: 'a', head: 'b', text: '', files },
    {
      ...{ files: holding({ 'a.ts': 'new\n' }), signal: undefined, maxFileTokens: 1000 },
      ...{ maxTokens: 10_000, allowTruncated: [], allowUnseen: [], redact: true, tokens },
      allowedSecrets: [],
      ...more,
    },
  );
}
const only = async (file: Partial<DiffFile>, more: Partial<ChangedFilesOptions> = {}) =>
  (await changed([fileOf(file)], more))[0];

describe('a changed file', () => {
  it('has content and diff; a new one has its content only', async () => {
    const named = { path: 'a.ts', added: 1, removed: 1 };
    expect(await only({})).toStrictEqual({
      ...named,
      status: 'modified',
      content: 'new\n',
      diff: patch,
    });
    expect(await only({ status: 'new' })).toStrictEqual({
      ...named,
      status: 'new',
      content: 'new\n',
    });
    // the mode of a program is part of its diff
    expect(await only({ status: 'new', newMode: '100755' })).toMatchObject({ diff: patch });
  });

  it('has only its diff without files, after a deletion, and behind a link', async () => {
    for (const [file, more] of [
      [{}, { files: undefined }],
      [{}, { files: holding({}) }],
      [{ status: 'deleted' }, {}],
      [{ newMode: '120000' }, {}],
    ] as const) {
      const read = await only(file, more);
      expect(read).toMatchObject({ diff: patch });
      expect(read).not.toHaveProperty('content');
    }
  });

  it.each([
    ['new', 'new'],
    ['modified', 'modified'],
    ['deleted', 'deleted'],
    ['renamed', 'renamed'],
    ['copied', 'new'],
    ['type_changed', 'modified'],
    ['mode_changed', 'modified'],
  ] as const)('that was %s is %s', async (status, kind) => {
    expect(await only({ status })).toMatchObject({ status: kind });
  });

  it('has its earlier path, if there is one', async () => {
    expect(await only({ status: 'renamed', oldPath: 'old.ts' })).toMatchObject({
      oldPath: 'old.ts',
    });
    expect(await only({})).not.toHaveProperty('oldPath');
  });

  it('says why it is not shown', async () => {
    for (const [file, omitted] of [
      [{ binary: true }, 'binary'],
      [{ submodule: true }, 'submodule'],
      [{ status: 'unmerged' }, 'unmerged'],
    ] as const)
      expect(await only(file)).toStrictEqual({
        path: 'a.ts',
        status: 'modified',
        added: 1,
        removed: 1,
        omitted,
      });
  });

  it('may be unseen where its ending is left out on purpose', async () => {
    const file = { path: 'logo.png', binary: true };
    expect(await only(file, { allowUnseen: ['.gif', '.png'] })).toMatchObject({
      mayBeUnseen: true,
    });
    expect(await only(file, { allowUnseen: ['.gif'] })).not.toHaveProperty('mayBeUnseen');
  });
});

describe('the limit of a file', () => {
  const long = 'x'.repeat(80);
  const limited = (file: Partial<DiffFile>, more: Partial<ChangedFilesOptions> = {}) =>
    only(file, { maxFileTokens: patch.length, files: holding({ 'a.ts': long }), ...more });

  it('lets through what just fits', async () => {
    expect(
      await limited({}, { files: holding({ 'a.ts': 'x'.repeat(patch.length) }) }),
    ).toMatchObject({ content: 'x'.repeat(patch.length), diff: patch });
  });

  it('leaves the diff where only the whole file is larger', async () => {
    expect(await limited({})).toMatchObject({ diff: patch, omitted: 'content' });
    expect(await limited({ status: 'new' })).toMatchObject({ diff: patch, omitted: 'content' });
  });

  it('leaves nothing where the diff is larger, or git did not read it', async () => {
    for (const [file, more] of [
      [{}, { maxFileTokens: patch.length - 1 }],
      [{ omitted: true }, {}],
    ] as const) {
      const read = await limited(file, more);
      expect(read).toMatchObject({ omitted: 'too_large' });
      expect(read).not.toHaveProperty('diff');
      expect(await limited(file, { ...more, allowTruncated: ['b.ts'] })).toEqual(read);
      expect(await limited(file, { ...more, allowTruncated: ['a.ts'] })).toMatchObject({
        omitted: 'cut',
        diff: expect.stringContaining('a.ts') as string,
      });
    }
  });

  it('cuts a file that may be cut to three bytes for each token, and at least 200', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `+line ${index}`);
    const [hunk] = fileOf().hunks;
    const large = { hunks: [{ ...hunk!, lines }] };
    const sizeAt = async (maxFileTokens: number): Promise<number> =>
      (await limited(large, { maxFileTokens, allowTruncated: ['a.ts'] }))?.diff?.length ?? 0;
    const [small, larger] = [await sizeAt(5), await sizeAt(400)];
    expect(small).toBeGreaterThan(100);
    expect(small).toBeLessThanOrEqual(200);
    expect(larger).toBeGreaterThan(1000);
    expect(larger).toBeLessThanOrEqual(1200);
  });
});

describe('the limit of all files', () => {
  it('counts content and diff of each', async () => {
    const files = [fileOf(), fileOf({ path: 'b.ts' })];
    const all = 2 * patch.length + 'new\n'.length;
    expect(await changed(files, { maxTokens: all })).toHaveLength(2);
    await expect(changed(files, { maxTokens: all - 1 })).rejects.toMatchObject({
      code: 'diff_too_large',
      value: 2,
    });
  });

  it('stops reading soon after it is exceeded, and when it is aborted', async () => {
    let reads = 0;
    const files = {
      ...holding({}),
      read: async () => {
        reads += 1;
        return 'new\n';
      },
    };
    const many = Array.from({ length: 100 }, (_, index) => fileOf({ path: `${index}.ts` }));
    await expectCode(changed(many, { files, maxTokens: 10 }), 'diff_too_large');
    expect(reads).toBe(32);
    expect(await changed(many, { files })).toHaveLength(100);
    reads = 0;
    await expect(changed(many, { files, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(reads).toBe(0);
  });
});

describe('secrets in a file', () => {
  const secret = `AKIA${'ABCDEFGH12345678'}`;
  const content = `one\nkey = "${secret}"\n`;
  const file = { status: 'new' } as const;
  const files = holding({ 'a.ts': content });

  it('are removed, and their lines named', async () => {
    const read = await only(file, { files });
    expect(JSON.stringify(read)).not.toContain(secret);
    expect(read).toMatchObject({
      secrets: [{ line: 2, text: expect.stringContaining('REDACTED') }],
    });
    expect(read).not.toHaveProperty('allowedSecrets');
    expect(await only({})).not.toHaveProperty('secrets');
  });

  it('stay where they shall be shown', async () => {
    const read = await only(file, { files, redact: false });
    expect(read).toMatchObject({ content });
    expect(read).not.toHaveProperty('secrets');
  });
});

describe('samples of neighbouring code', () => {
  type Contents = Readonly<Record<string, string>>;

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

  it('are files of the same folder and kind that did not change, in the order of their names', async () => {
    const contents = {
      'src/c.ts': 'c',
      'src/b.ts': 'b',
      'src/a.ts': 'a',
      'src/x.css': 'x',
      'b.ts': 'b',
    };
    const { samples, calls } = await samplesOf(
      [diffFile('src/a.ts'), diffFile('src/z.ts', { oldPath: 'src/y.ts', status: 'renamed' })],
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
      [diffFile('x/a.ts'), diffFile('x/a.css'), diffFile('y/a.ts'), diffFile('a.ts')],
      { 'x/1.ts': '1', 'x/2.ts': '2', 'x/1.css': '1', 'y/1.ts': '1', 'b.ts': 'b' },
      { files: 9 },
    );
    expect(paths).toEqual(['x/1.ts', 'x/1.css', 'y/1.ts', 'b.ts', 'x/2.ts']);
    expect(calls.filter((call) => call.startsWith('list'))).toEqual(['list x', 'list y', 'list ']);
  });

  it('are at most as many as are wanted, and none costs no reading', async () => {
    const contents = { '1.ts': '1', '2.ts': '2', '3.ts': '3' };
    const of = (files: number) => samplesOf([diffFile('a.ts')], contents, { files });
    expect((await of(2)).paths).toEqual(['1.ts', '2.ts']);
    expect((await of(2)).calls).toHaveLength(3);
    expect(await of(0)).toMatchObject({ samples: [], calls: [] });
  });

  it('leave out files that are empty, gone, or without a kind', async () => {
    const { paths } = await samplesOf([diffFile('a.ts')], { '1.ts': ' \n', '2.ts': 'two' });
    expect(paths).toEqual(['2.ts']);
    for (const path of ['Makefile', '.gitignore', 'src.d/Makefile'])
      expect(await samplesOf([diffFile(path)], { Other: 'x', '.npmrc': 'x' })).toMatchObject({
        samples: [],
        calls: [],
      });
    expect((await samplesOf([diffFile('.a.ts')], { 'b.ts': 'b' })).paths).toEqual(['b.ts']);
  });

  it('are not looked for beside what nobody can compare', async () => {
    for (const more of [{ binary: true }, { submodule: true }, { status: 'deleted' }] as const)
      expect((await samplesOf([diffFile('a.ts', more)], { 'b.ts': 'b' })).calls).toEqual([]);
  });

  it('are looked for in a bounded number of folders and files', async () => {
    const folders = Array.from({ length: 60 }, (_, index) => diffFile(`${index}/a.ts`));
    expect((await samplesOf(folders, {})).calls).toHaveLength(50);
    const empty = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`${String(index).padStart(2, '0')}.ts`, ' ']),
    );
    const { calls } = await samplesOf([diffFile('a.ts')], empty);
    expect(calls.filter((call) => call.startsWith('read'))).toHaveLength(20);
  });

  it('are cut at a line to their limit, without secrets, and say how much is left out', async () => {
    const contentOf = async (content: string): Promise<string> =>
      (await samplesOf([diffFile('a.ts')], { 'b.ts': content }, { tokens: 20 })).samples[0]
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
