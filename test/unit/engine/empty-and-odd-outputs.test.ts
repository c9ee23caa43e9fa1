import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline } from '../../../src/index.js';
import { failed, passed, reviewer, untilNoGap } from './support.js';

describe('an output without content', () => {
  it('was judged, and its verdict comes from no other run', async () => {
    const asked: string[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async () => '',
      address: async () => 'tea',
      reviewers: [
        reviewer<string>('judge', async ({ output }) => {
          asked.push(output);
          return [passed('judge')];
        }),
      ],
      policy: untilNoGap,
    });
    const outcome = await pipeline.run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'tea' });
    const criterion = 'empty-output';
    expect(outcome.reviews).toMatchObject([
      { assessments: [{ criterion, verdict: 'fail' }, { verdict: 'skipped' }] },
      { assessments: [{ criterion, verdict: 'pass', gaps: [] }, { verdict: 'pass' }] },
    ]);
    for (const review of outcome.reviews) expect(review).not.toHaveProperty('reused');
    expect(asked).toEqual(['tea']);
  });
});

describe('a revision that returns null, as the schema allows', () => {
  const revising = (first: { text: string } | null) =>
    definePipeline<string, { text: string } | null>({
      produce: async () => first,
      address: async () => null,
      reviewers: [reviewer<{ text: string } | null>('judge', async () => [failed('judge')])],
      output: z.object({ text: z.string() }).nullable(),
      allowEmpty: true,
    });

  it('is refused in place of an object', async () => {
    const outcome = await revising({ text: 'tea' }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'address_invalid' });
    expect(outcome.reason).toMatch(/\bobject\b.*\bnull\b/);
  });

  it('changes nothing where there was null before', async () => {
    expect(await revising(null).run('task')).toMatchObject({
      status: 'stalled',
      code: 'output_unchanged',
    });
  });
});
