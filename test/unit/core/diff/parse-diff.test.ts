import { describe, expect, it } from 'vitest';
import type { Diff, DiffFile } from '@/core/diff/diff-source.js';
import { fitDiff } from '@/core/diff/fit-diff.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import { neighbourSamples, workFromDiff } from '@/products/reviewer-stage/work-from-diff.js';
import { errorWith } from '../../../support/matchers.js';

const counter = { id: 'words', exact: true, count: async (text: string) => text.length } as const;
const fileOf = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  path,
  status: 'modified',
  added: 1,
  removed: 0,
  binary: false,
  submodule: false,
  header: `--- a/${path}\n+++ b/${path}\n`,
  hunks: [],
  omitted: false,
  ...more,
});
const diffOf = (...files: DiffFile[]): Diff => ({
  base: 'base',
  head: 'working-tree',
  files,
  text: '',
});
const about = { sessionId: 's', request: 'r' };

describe('a diff that is no whole one of git', () => {
  it('without `diff --git` has the files that its headers name', async () => {
    const text =
      '--- old.txt\n+++ new.txt\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+c\n';
    expect(await parseDiff(text)).toMatchObject([
      { path: 'new.txt', added: 1, removed: 1 },
      { path: 'made.txt', status: 'new', added: 1 },
    ]);
  });

  it('of a mode alone has no hunks, and says so', async () => {
    expect(
      await parseDiff('diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n'),
    ).toMatchObject([
      { path: 'run.sh', status: 'mode_changed', oldMode: '100644', newMode: '100755', hunks: [] },
    ]);
  });

  it('of renamed, copied, removed and binary files says so, and names each if nothing fits', async () => {
    const from = (how: string) =>
      `diff --git a/old.txt b/${how}.txt\nsimilarity index 100%\n${how} from old.txt\n${how} to ${how}.txt\n`;
    const text = `${from('rename')}${from('copy')}diff --git a/gone.txt b/gone.txt
deleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a
diff --git a/pic.png b/pic.png\nindex 1111111..2222222 100644\nBinary files a/pic.png and b/pic.png differ\n`;
    const files = await parseDiff(text);
    expect(files).toMatchObject([
      { path: 'rename.txt', oldPath: 'old.txt', status: 'renamed', hunks: [] },
      { path: 'copy.txt', oldPath: 'old.txt', status: 'copied', hunks: [] },
      { path: 'gone.txt', status: 'deleted', removed: 1 },
      { path: 'pic.png', status: 'modified', binary: true },
    ]);
    const large = files.map((file) => ({ ...file, header: file.header + 'x'.repeat(500) }));
    const { text: fitted } = fitDiff({ files: large, text: 'x'.repeat(2000) }, { maxBytes: 600 });
    expect(fitted).toContain('renamed old.txt -> rename.txt (+0 -0)');
    expect(fitted).toContain('modified pic.png (binary)');
  });

  it('of a repository in the repository is told as one', async () => {
    const text =
      'diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2';
    expect(await parseDiff(text)).toMatchObject([{ path: 'lib', submodule: true }]);
  });

  it('names a file in its fitted form as it is quoted by git', () => {
    const { text, leftOut } = fitDiff(
      { files: [fileOf('a\nb.txt', { omitted: true, hunks: [] }), fileOf('c.txt')], text: '' },
      { maxBytes: 400 },
    );
    expect(text).toContain('"a\\nb.txt"');
    expect(leftOut).toMatchObject([{ path: 'a\nb.txt', unnamed: false }]);
  });
});

describe('samples of neighbours', () => {
  const source = (files: Readonly<Record<string, string>>) => ({
    list: async () => Object.keys(files),
    read: async (path: string) => files[path],
  });
  const sampled = (
    files: Readonly<Record<string, string>>,
    changed: readonly DiffFile[],
    bounds: { files?: number; tokens?: number } = {},
  ) =>
    neighbourSamples(changed, source(files), {
      files: 2,
      tokens: 20,
      ...bounds,
      counter,
      clean: async (text) => text,
      signal: undefined,
    });

  it('are cut after a line where one fits, else where the bound is; empty ones and those of another kind are left out', async () => {
    const samples = await sampled(
      {
        'b.js': `line one\n${'x'.repeat(100)}`,
        'c.js': 'y'.repeat(50),
        'd.js': '  ',
        'e.md': 'z',
        a: 'no kind',
      },
      [fileOf('a.js')],
    );
    expect(samples).toEqual([
      { path: 'b.js', content: 'line one\n[101 characters left out]' },
      { path: 'c.js', content: `${'y'.repeat(20)}\n[30 characters left out]` },
    ]);
  });

  it('are none where none are asked for, and none of files without a kind or a future', async () => {
    expect(await sampled({ 'b.js': 'x' }, [fileOf('a.js')], { files: 0 })).toEqual([]);
    expect(
      await sampled({ 'b.js': 'x', Makefile: 'x' }, [
        fileOf('Dockerfile'),
        fileOf('gone.js', { status: 'deleted' }),
        fileOf('.env'),
      ]),
    ).toEqual([]);
  });
});

describe('work from a diff', () => {
  it('keeps plan, notes and criteria, and takes no secret out where that was said', async () => {
    const hunks = [
      {
        header: '@@ -1 +1 @@',
        oldStart: 1,
        oldLines: 1,
        newStart: 1,
        newLines: 1,
        lines: ['+password = "hunter2secret"'],
      },
    ];
    const more = { plan: 'first tests', notes: ['as agreed'], acceptanceCriteria: ['it works'] };
    const open = await workFromDiff(diffOf(fileOf('a.js', { hunks })), {
      ...about,
      ...more,
      redact: false,
    });
    expect(open).toMatchObject(more);
    expect(open.changedFiles[0]?.diff).toContain('hunter2secret');
    const closed = await workFromDiff(diffOf(fileOf('a.js', { hunks })), about);
    expect(closed.changedFiles[0]?.diff).not.toContain('hunter2secret');
  });

  it('says what it leaves out of a file that is too large, where that is allowed', async () => {
    const huge = fileOf('a.js', { omitted: true, added: 9000 });
    expect((await workFromDiff(diffOf(huge), about)).changedFiles).toEqual([
      { path: 'a.js', status: 'modified', added: 9000, removed: 0, omitted: 'too_large' },
    ]);
    expect(
      (await workFromDiff(diffOf(huge), { ...about, allowTruncated: ['a.js'] })).changedFiles[0],
    ).toMatchObject({ omitted: 'cut', diff: expect.stringContaining('a.js') });
  });

  it('is refused where no text changed, and where its options are none', async () => {
    const binaries = Array.from({ length: 7 }, (_, index) =>
      fileOf(`${index}.png`, { binary: true }),
    );
    await expect(workFromDiff(diffOf(...binaries), about)).rejects.toMatchObject(
      errorWith('no_artifacts', 'and 2 more'),
    );
    await expect(
      workFromDiff(diffOf(fileOf('lib', { submodule: true })), about),
    ).rejects.toMatchObject({ code: 'no_artifacts' });
    for (const wrong of [
      null,
      { ...about, maxTokens: 0 },
      { ...about, allowTruncated: 'a.js' },
      { ...about, allowTruncated: [7] },
      { ...about, samples: { files: -1 } },
      { ...about, samples: { lines: 1 } },
    ])
      await expect(
        workFromDiff(diffOf(fileOf('a.js')), wrong as never),
        JSON.stringify(wrong),
      ).rejects.toMatchObject({ code: 'invalid_options' });
    await expect(
      workFromDiff(diffOf(fileOf('a.js')), { ...about, sessionId: 7 } as never),
    ).rejects.toMatchObject({ code: 'task_invalid' });
  });
});
