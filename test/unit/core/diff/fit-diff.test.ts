import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitDiff } from '@/core/diff/fit-diff.js';
import { parseDiff } from '@/core/diff/parse-diff.js';

const file = (name: string, hunks: readonly (readonly string[])[]): string =>
  `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n${hunks.map((added, index) => `@@ -${index * 100 + 1},0 +${index * 100 + 1},${added.length} @@\n${added.map((line) => `+${line}\n`).join('')}`).join('')}`;
const diffOf = async (text: string) => ({ text, files: await parseDiff(text) });
const bytes = (text: string): number => Buffer.byteLength(text);

describe('fitDiff', () => {
  it('leaves a diff that fits as it is', async () => {
    const text = file('a.txt', [['one']]);
    expect(fitDiff(await diffOf(text), { maxBytes: 1000 })).toEqual({
      text,
      bytes: bytes(text),
      leftOut: [],
    });
  });

  it('keeps small files whole, cuts large ones between hunks, and says what is missing (D002-03)', async () => {
    const large = Array.from({ length: 20 }, (_, index) => [`${index} ${'x'.repeat(80)}`]);
    const diff = await diffOf(`${file('large.txt', large)}${file('small.txt', [['tiny']])}`);
    const fitted = fitDiff(diff, { maxBytes: 1000 });
    expect(fitted.bytes).toBeLessThanOrEqual(1000);
    expect(fitted.text).toContain(file('small.txt', [['tiny']]));
    expect(fitted.text).toMatch(
      /\+3 x{80}\n[\s\S]*\[\d+ of 20 hunks, \d+ lines of large.txt left out\]\n/,
    );
    expect(fitted.leftOut).toMatchObject([{ path: 'large.txt', unnamed: false }]);
    const hunks = fitted.text.match(/^@@ .*$/gm)?.length ?? 0;
    expect(hunks - 1 + (fitted.leftOut[0]?.hunks ?? 0)).toBe(20);
  });

  it('cuts a single hunk that is too large between its lines', async () => {
    const diff = await diffOf(
      file('one.txt', [Array.from({ length: 500 }, (_, index) => `é ${index}`)]),
    );
    const fitted = fitDiff(diff, { maxBytes: 600 });
    expect(fitted.bytes).toBeLessThanOrEqual(600);
    expect(fitted.text).toMatch(
      /\+é 20\n[\s\S]*\[1 of 1 hunks, \d+ lines of one.txt left out\]\n$/,
    );
  });

  it('says how many names do not fit', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `folder/file-${index}.txt`);
    const fitted = fitDiff(await diffOf(names.map((name) => file(name, [['x']])).join('')), {
      maxBytes: 400,
    });
    expect(fitted.bytes).toBeLessThanOrEqual(400);
    const [, missing] = /\[(\d+) of 100 files are not named/.exec(fitted.text) ?? [];
    expect(names.filter((name) => fitted.text.includes(`${name} `))).toHaveLength(
      100 - Number(missing),
    );
    expect(fitted.leftOut.filter(({ unnamed }) => unnamed)).toHaveLength(Number(missing));
  });

  it('is never longer than it may be, valid UTF-8, and names every file or says that it does not', async () => {
    const line = fc
      .string({ unit: 'binary', maxLength: 60 })
      .map((text) => text.replace(/[\r\n]/g, ''));
    const hunk = fc.array(line, { minLength: 1, maxLength: 8 });
    const files = fc.array(fc.array(hunk, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 200, max: 3000 }), async (contents, maxBytes) => {
        const names = contents.map((_, index) => `näme-${index}.txt`);
        const {
          text,
          leftOut,
          bytes: told,
        } = fitDiff(
          await diffOf(contents.map((hunks, index) => file(names[index] ?? '', hunks)).join('')),
          { maxBytes },
        );
        expect(bytes(text)).toBe(told);
        expect(told).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.from(text).toString('utf8')).toBe(text);
        const unnamed = new Set(leftOut.filter((file) => file.unnamed).map(({ path }) => path));
        for (const name of names) expect(text.includes(name)).toBe(!unnamed.has(name));
        if (unnamed.size > 0)
          expect(text).toContain(`[${unnamed.size} of ${names.length} files are not named`);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a bound without room for a sentence', () => {
    expect(() => fitDiff({ files: [], text: '' }, { maxBytes: 199 })).toThrow(/maxBytes/);
  });
});

describe('parseDiff', () => {
  it('reads plain diffs, copies, and lines that look like headers', async () => {
    expect(
      await parseDiff('--- old.txt\n+++ new.txt\n@@ -1,2 +1,2 @@ fn\n--- x\n+++ y\n z\n'),
    ).toMatchObject([
      {
        path: 'new.txt',
        added: 1,
        removed: 1,
        hunks: [{ header: '@@ -1,2 +1,2 @@ fn', lines: ['--- x', '+++ y', ' z'] }],
      },
    ]);
    expect(
      await parseDiff('diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n'),
    ).toMatchObject([{ path: 'y', oldPath: 'x', status: 'copied', hunks: [] }]);
    expect(await parseDiff('')).toEqual([]);
    expect(await parseDiff('no diff at all\n')).toEqual([]);
  });

  it('refuses hunks that are not whole', async () => {
    await expect(
      parseDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n a\n'),
    ).rejects.toMatchObject({ code: 'diff_unreadable' });
  });
});
