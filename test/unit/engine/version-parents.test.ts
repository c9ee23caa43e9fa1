import { describe, expect, it } from 'vitest';
import { definePipeline, type Evidence, type Policy } from '../../../src/index.js';
import { passed, reviewer, untilNoGap } from './support.js';

describe('the gaps of a version', () => {
  it('are compared with those of the version that it was made of, which need not be the best', async () => {
    const texts = ['-', 'a'];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'b',
      address: async () => texts.shift() ?? 'ab',
      criteria: { a: (text) => text.includes('a'), b: (text) => text.includes('b') },
      policy: untilNoGap,
    }).run('task');
    expect(
      outcome.reviews.map(({ gaps, fixed }) => [
        gaps.map(({ criterionId, lifecycle }) => `${criterionId} ${lifecycle}`),
        fixed.map(({ criterionId }) => criterionId),
      ]),
    ).toEqual([
      [['a new'], []],
      [['a persisting', 'b new'], []],
      [['b persisting'], ['a']],
    ]);
  });
});

describe('the end of a review', () => {
  it('tells whether its version is now the best', async () => {
    const texts = ['worse', 'better'];
    const pipeline = definePipeline<string, string>({
      produce: async () => 'first',
      address: async () => texts.shift() ?? 'end',
      criteria: { good: (text) => text === 'better' || `${text} is not good` },
      policy: untilNoGap,
    });
    const told: unknown[] = [];
    pipeline.on('review-end', ({ best, iteration }) => void told.push([iteration, best]));
    expect(await pipeline.run('task')).toMatchObject({ output: 'better' });
    expect(told).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });
});

describe('a policy', () => {
  it('is told who judges: id, version and tier of each, and no more', async () => {
    const judges: Evidence['judges'][] = [];
    const policy: Policy = (evidence) => {
      judges.push(evidence.judges);
      return { kind: 'approve', reason: 'fine' };
    };
    await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('one', async () => [passed('one')], { version: '3' }),
        reviewer('two', async () => [passed('two')], { tier: 'confirm' }),
      ],
      policy,
    }).run('task');
    expect(judges.at(-1)).toEqual([
      { id: 'one', version: '3', tier: 'code' },
      { id: 'two', version: '1', tier: 'confirm' },
    ]);
    expect(Object.isFrozen(judges.at(-1)?.[0])).toBe(true);
  });
});

describe('the part of a version that a judge reads', () => {
  const withScope = async (scope: () => never) => {
    let frozen: boolean | undefined;
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer<string>(
          'part',
          async ({ output }) => {
            frozen = Object.isFrozen(output);
            return [passed('part')];
          },
          { scope },
        ),
      ],
    }).run('task');
    return { frozen, assessment: outcome.reviews[0]?.assessments[0] };
  };

  it('cannot be changed by the judge', async () => {
    expect((await withScope(() => ({ part: [1] }) as never)).frozen).toBe(true);
  });

  it('that cannot be selected makes the judge fail, with the reason as its cause', async () => {
    const cause = new Error('no such part');
    const { frozen, assessment } = await withScope(() => {
      throw cause;
    });
    expect(frozen).toBeUndefined();
    expect(assessment).toMatchObject({
      verdict: 'errored',
      error: { code: 'scope_failed', cause },
    });
  });
});
