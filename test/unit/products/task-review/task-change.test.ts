import { describe, expect, it } from 'vitest';
import type { DiffFile } from '@/core/diff/diff-source.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import { bytesOf } from '@/core/text/truncate.js';
import {
  changedFileLines,
  changeOf,
  changeReader,
  diffsOf,
  nothingIn,
  partOf,
  summaryLines,
} from '@/products/task-review/task-change.js';
import { diffFile } from '../diff-file.js';

/** What git says of a new file with these lines. */
const patchOf = (path: string, ...lines: string[]): string =>
  [
    `diff --git a/${path} b/${path}`,
    ...['new file mode 100644', '--- /dev/null', `+++ b/${path}`],
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
const diffOf = async (...patches: string[]) => {
  const text = patches.join('');
  return { text, files: await parseDiff(text) };
};
const fileOf = (more: Partial<DiffFile> = {}) => diffFile('a.js', { header: '', ...more });
const long = Array.from({ length: 40 }, (_, index) => `line ${index} that somebody reads`);

describe('the change of a task', () => {
  it('has the facts of each file, and no more than are known', async () => {
    const given = await diffOf(patchOf('a.js', 'one', 'two'));
    const change = changeOf({ ...given, base: 'abc' });
    expect(change).toStrictEqual({
      ...{ base: 'abc', digest: change.digest, diff: given.text, leftOut: 0 },
      files: [{ path: 'a.js', status: 'new', added: 2, removed: 0, binary: false }],
    });
    const moved = fileOf({ path: 'b.js', oldPath: 'a.js', status: 'renamed' });
    const library = fileOf({ path: 'lib', submodule: true });
    expect(changeOf({ text: '', files: [moved, library] })).toMatchObject({
      base: '',
      files: [
        { path: 'b.js', oldPath: 'a.js', status: 'renamed' },
        { path: 'lib', submodule: true },
      ],
    });
  });

  it('has another digest for another text, and for other facts', async () => {
    const one = await diffOf(patchOf('a.js', 'one'));
    const digest = (given: Parameters<typeof changeOf>[0]) => changeOf(given).digest;
    expect(digest(one)).toBe(digest({ ...one, base: 'elsewhere' }));
    expect(digest(one)).not.toBe(digest(await diffOf(patchOf('a.js', 'two'))));
    expect(digest(one)).not.toBe(digest({ ...one, files: [fileOf({ binary: true })] }));
  });

  it('is nothing without a file, and without visible content', async () => {
    const nothing = async (...patches: string[]) => nothingIn(changeOf(await diffOf(...patches)));
    expect(await nothing()).toBe('the task changed no file');
    expect(await nothing(patchOf('a.js', '', ' \t'))).toBe('the task changed no visible content');
    expect(await nothing(patchOf('a.js', ' '), patchOf('b.js', 'x'))).toBeUndefined();
    expect(partOf(changeOf(await diffOf()))).toBe('the task changed no file');
  });

  it('is shown without secrets, unless they are wanted, and is the same change either way', async () => {
    const secret = `AKIA${'ABCDEFGH12345678'}`;
    const given = await diffOf(patchOf('a.js', 'fine', `key = "${secret}"`, 'after'));
    const clean = changeOf(given);
    expect(clean.diff).not.toContain(secret);
    expect(clean.diff).toMatch(/^\+fine\n\+key = .*REDACTED.*\n\+after$/m);
    const open = changeOf(given, { redact: false });
    expect(open.diff).toContain(secret);
    expect(open.digest).toBe(clean.digest);
    const cut = changeOf(await diffOf(patchOf('a.js', `key = "${secret}"`, ...long)), {
      maxBytes: 400,
    });
    expect(cut.diff).toContain('REDACTED');
    expect(cut.diff).not.toContain(secret);
  });
});

describe('a change that is larger than its limit', () => {
  it('comes in parts that contain all of it, each file whole', async () => {
    const given = await diffOf(patchOf('a.js', ...long), patchOf('b.js', ...long));
    const change = changeOf(given, { maxBytes: 1500 });
    expect(change).toMatchObject({ leftOut: 2, totalBytes: bytesOf(given.text) });
    expect(diffsOf(change)).toHaveLength(2);
    expect(diffsOf(change).map((text) => text.includes('b.js'))).toEqual([false, true]);
    expect(partOf(change)).toBeUndefined();
    expect(diffsOf(changeOf(given))).toEqual([given.text]);
  });

  it('is shown in part where one file exceeds the limit, and says so with both sizes', async () => {
    const given = await diffOf(patchOf('a.js', ...long), patchOf('b.js', 'x'));
    const change = changeOf(given, { maxBytes: 600 });
    expect(change.parts).toBeUndefined();
    expect(diffsOf(change)).toEqual([change.diff]);
    const shown = bytesOf(change.diff);
    const total = bytesOf(given.text);
    expect(partOf(change, { diffBytes: 600 })).toBe(
      `only ${shown} of ${total} bytes were shown (diffBytes: 600)`,
    );
    expect(partOf(change)).toContain('(diffBytes: 30000)');
  });

  it('names files that git did not read, unless they are left out on purpose [R3-038]', () => {
    const files = [fileOf({ omitted: true }), fileOf({ path: 'b.js', omitted: true })];
    const change = changeOf({ text: '', files });
    expect(partOf(change)).toBe(
      'not reviewed, because it is too large to read: a.js, b.js (allowUnseen leaves files out on purpose)',
    );
    expect(partOf(change, { allowUnseen: ['a.js'] })).toContain('too large to read: b.js (');
    expect(partOf(change, { allowUnseen: ['.js'] })).toBeUndefined();
  });
});

describe('files that nobody can read', () => {
  const part = (file: Partial<DiffFile>, allowUnseen?: readonly string[]) =>
    partOf(changeOf({ text: '', files: [fileOf(), fileOf({ path: 'logo.png', ...file })] }), {
      allowUnseen,
    });

  it('are named, whether they are binary or another repository', () => {
    for (const file of [{ binary: true }, { submodule: true }])
      expect(part(file)).toMatch(/^not reviewed, because it is not text: logo\.png \(/);
  });

  it('need not be read where they are deleted or left out on purpose', () => {
    expect(part({ binary: true, status: 'deleted' })).toBeUndefined();
    expect(part({ binary: true }, ['.gif', '.png'])).toBeUndefined();
    expect(part({ binary: true }, ['.gif'])).toContain('logo.png');
    expect(part({})).toBeUndefined();
    expect(partOf(undefined)).toBeUndefined();
  });
});

describe('the lines about a change', () => {
  const files = [
    { path: 'b.js', oldPath: 'a.js', status: 'renamed', added: 2, removed: 3, binary: false },
    { path: 'logo.png', status: 'new', added: 0, removed: 0, binary: true },
    { path: 'c.js', status: 'modified', added: 4, removed: 5, binary: false },
  ];

  it('name files with their earlier names, and add up their lines', () => {
    expect(changedFileLines({ files })).toBe(
      '- a.js -> b.js (renamed)\n- logo.png (new)\n- c.js (modified)',
    );
    expect(summaryLines({ files })).toBe(
      [
        ...[' b.js | +2 -3', ' logo.png | binary', ' c.js | +4 -5'],
        ' 3 files changed, 6 insertions(+), 8 deletions(-)',
      ].join('\n'),
    );
    expect(summaryLines({ files: files.slice(2) })).toContain(' 1 file changed, ');
  });
});

it('a change is read as a recorded step, against the commit that the task started from', async () => {
  const given = await diffOf(patchOf('a.js', ...long));
  const asked: unknown[] = [];
  const read = changeReader(
    {
      id: 'told',
      head: async () => 'head',
      diff: async (request, options) => {
        asked.push(request, options?.signal instanceof AbortSignal);
        return { ...given, base: 'abc', head: 'working-tree' };
      },
    },
    { maxBytes: 300 },
  );
  const steps: unknown[] = [];
  const change = await read('before', 'abc', {
    step: async (name, { input, schema }, work) => {
      steps.push(name, input);
      const { signal } = new AbortController();
      return schema.parse(await work({ key: name, attempt: 1, signal }));
    },
  });
  expect(asked).toEqual([{ kind: 'working-tree', base: 'abc' }, true]);
  expect(steps).toEqual(['before', { base: 'abc', source: 'told' }]);
  expect(bytesOf(change.diff)).toBeLessThanOrEqual(300);
});
