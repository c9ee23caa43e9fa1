import { describe, expect, it } from 'vitest';
import { criterion, definePipeline } from '@/index.js';
import { throwing } from '../../../support/throwing.js';
import '@/testing/vitest.js';

const titled = criterion('titled', (text: string) => text.startsWith('# ') || 'no title');
const about = criterion('about', (text: string, task: string) => text.includes(task), {
  severity: 'minor',
});
const broken = criterion('broken', throwing('no key'));
const article = definePipeline<string, string>({ reviewers: [titled, about] });
const options = { task: 'Tea' };

describe('expect(output).toPass(pipeline)', () => {
  it('passes if the pipeline approves', async () => {
    await expect('# Tea').toPass(article, options);
    await expect(expect('# Tea').not.toPass(article, options)).rejects.toThrow(
      'expected the output not to pass pipeline; it scored 1',
    );
  });

  it('fails with the reason and the gaps if it refuses', async () => {
    await expect('Tea').not.toPass(article, options);
    const failure = expect(expect('Tea').toPass(article, options)).rejects;
    await failure.toThrow(/it scored 0\.\d+: 1 critical or major gap/);
    await expect(expect('Tea').toPass(article, options)).rejects.toThrow(
      '  - [major] titled: no title',
    );
  });

  it('throws if nobody could tell, also with not', async () => {
    const blind = definePipeline<string, string>({ reviewers: [titled, broken], retries: 0 });
    for (const assertion of [expect('# Tea'), expect('# Tea').not])
      await expect(assertion.toPass(blind, options)).rejects.toThrow(
        /^pipeline could not tell: .*no key/,
      );
  });

  it('says what it takes if it is given something else', async () => {
    const dimension = { id: 'tone', assess: () => ({}) } as never;
    await expect(expect('Tea').toPass(dimension, options)).rejects.toThrow(
      /toPass.*a criterion or a pipeline/,
    );
  });

  it('aborts the review with the context', async () => {
    const context = { signal: AbortSignal.abort() };
    await expect(expect('# Tea').toPass(article, { ...options, context })).rejects.toThrow(
      'the review was cancelled',
    );
  });
});
