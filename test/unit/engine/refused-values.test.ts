import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, type Policy } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

describe('a value that the schema of a check refuses', () => {
  it('is told with what it was and why, and may be better the next time', async () => {
    const values: unknown[] = [7, 'fine'];
    const tried: unknown[] = [];
    const pipeline = (retries: number) =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer('judge', async (_, context) => {
            await context.check(z.string(), async () => {
              tried.push(values[tried.length]);
              return tried.at(-1) as string;
            });
            return [passed('judge')];
          }),
        ],
        retries,
      });
    const outcome = await pipeline(0).run('task');
    expect(outcome.reviews[0]?.assessments[0]).toMatchObject({
      verdict: 'errored',
      error: {
        code: 'step_invalid',
        value: 7,
        retryable: true,
        cause: { issues: [{ code: 'invalid_type' }] },
      },
    });
    tried.length = 0;
    expect(await pipeline(1).run('task')).toMatchObject({ status: 'approved' });
    expect(tried).toEqual([7, 'fine']);
  });
});

describe('a decision with the code of open questions', () => {
  it('asks nobody unless it ends the run for them', async () => {
    const accept: Policy = () => ({ kind: 'accept', code: 'undecided', reason: 'so what' });
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer('judge', async () => [failed('judge')])],
      policy: accept,
      human: { policy: 'require' },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'accepted', code: 'undecided' });
  });
});
