import { describe, expect, it } from 'vitest';
import type { Diff, DiffFile } from '@/core/diff/diff-source.js';
import {
  type WorkFromDiffOptions,
  workFromDiff,
} from '@/products/reviewer-stage/work-from-diff.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { diffFile } from '../diff-file.js';

const diffOf = (...files: DiffFile[]): Diff => ({
  base: 'b'.repeat(40),
  head: 'working-tree',
  text: '',
  files,
});
const about = { sessionId: 's', request: 'Add tea' };
const work = (options: object = {}, diff = diffOf(diffFile('a.ts'))) =>
  workFromDiff(diff, { ...about, ...options } as WorkFromDiffOptions);

describe('work from a diff', () => {
  it('has what is known about it, and nothing else', async () => {
    expect(await work()).toStrictEqual({
      ...{ ...about, base: 'b'.repeat(40), head: 'working-tree' },
      ...{ executionResults: [], verificationResults: [] },
      changedFiles: [
        {
          ...{ path: 'a.ts', status: 'modified', added: 1, removed: 0 },
          diff: 'diff --git a/a.ts b/a.ts\n',
        },
      ],
    });
    const facts = {
      ...{ plan: ['one'], notes: ['n'], acceptanceCriteria: ['c'] },
      executionResults: [{ step: 'one', status: 'succeeded' }],
      verificationResults: [{ name: 'lint', passed: true }],
    };
    expect(await work(facts)).toMatchObject(facts);
    expect(await work({ plan: '' })).toMatchObject({ plan: '' });
  });

  it('has samples of a bounded number and size, without secrets unless they are wanted', async () => {
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    const files = {
      read: async (path: string) => (path === 'a.ts' ? 'a' : `key = "${secret}" // ${path}`),
      list: async () => ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts'],
    };
    const { samples = [] } = await work({ files });
    expect(samples.map(({ path }) => path)).toEqual(['b.ts', 'c.ts', 'd.ts', 'e.ts']);
    expect(JSON.stringify(samples)).not.toContain(secret);
    const open = await work({ files, redact: false, samples: { files: 1 } });
    expect(open.samples).toEqual([{ path: 'b.ts', content: `key = "${secret}" // b.ts` }]);
    expect(await work({ files, samples: { files: 0 } })).not.toHaveProperty('samples');
    const short = await work({ files, samples: { tokens: 2 } });
    expect(short.samples?.[0]?.content).toContain('characters left out');
  });

  it('counts with the counter that is given', async () => {
    const tokens = { id: 'many', count: async () => 1000 };
    await expectCode(work({ tokens, maxTokens: 1999 }), 'diff_too_large');
    expect(await work({ tokens, maxFileTokens: 999 })).toMatchObject({
      changedFiles: [{ omitted: 'too_large' }],
    });
  });
});

it('a diff that cannot be reviewed has no change, or none of a text, and names the first five', async () => {
  await expect(work({}, diffOf())).rejects.toMatchObject({
    ...errorWith('no_artifacts', 'bbbbbbbbbbbb and working-tree'),
  });
  const binaries = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      diffFile(`${index}.png`, index === 0 ? { submodule: true } : { binary: true }),
    );
  await expect(work({}, diffOf(...binaries(5)))).rejects.toMatchObject({
    ...errorWith('no_artifacts', /only 0\.png, .*, 4\.png(?! and)/),
  });
  await expect(work({}, diffOf(...binaries(7)))).rejects.toMatchObject({
    message: expect.stringContaining('4.png and 2 more') as string,
  });
  expect((await work({}, diffOf(...binaries(2), diffFile('a.ts')))).changedFiles).toHaveLength(3);
});

describe('the options of work from a diff', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /workFromDiff/],
    [null, /workFromDiff/],
    ['a text', /workFromDiff/],
    [{ maxFileToken: 1 }, /workFromDiff.*maxFileToken/],
    [{ maxFileTokens: 0 }, /`maxFileTokens`/],
    [{ maxTokens: '1' }, /`maxTokens`/],
    [{ maxTokens: -1 }, /`maxTokens`/],
    [{ allowTruncated: 'a.ts' }, /`allowTruncated`/],
    [{ allowTruncated: ['a.ts', 7] }, /`allowTruncated`/],
    [{ allowUnseen: '.png' }, /`allowUnseen`/],
    [{ allowUnseen: [''] }, /`allowUnseen`/],
    [{ allowedSecrets: [{}] }, /`allowedSecrets/],
    [{ samples: { number: 1 } }, /^`?samples.*number/],
    [{ samples: { files: -1 } }, /samples\.files/],
    [{ samples: { tokens: 1.5 } }, /samples\.tokens/],
  ])('%j are refused, and the option is named', async (options, name) => {
    await expect(
      (async () => workFromDiff(diffOf(diffFile('a.ts')), options as never))(),
    ).rejects.toMatchObject(errorWith('invalid_options', name));
  });

  it('allow no paths to be cut where nothing was changed', async () => {
    const cut = work({ allowTruncated: ['a.ts'] }, diffOf());
    await expect(cut).rejects.toMatchObject({ code: 'no_artifacts' });
  });
});
