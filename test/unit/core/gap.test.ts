import { describe, expect, it } from 'vitest';
import { type Gap, GapSchema, gap } from '../../../src/core/gap.js';
import { definePipeline } from '../../../src/index.js';

describe('gap', () => {
  it('has defaults for all but its description', () => {
    const made: Gap = gap('no title');
    expect(made).toEqual({
      id: '',
      severity: 'major',
      category: 'quality',
      description: 'no title',
      suggestedFix: 'no title',
      estimatedEffort: 'medium',
      autoFixable: true,
    });
    expect(GapSchema.parse(made)).toEqual(made);
  });

  it('names its place, and takes what else is given', () => {
    expect(
      gap('no title', { file: 'a.md', line: 3, severity: 'critical', suggestedFix: 'add one' }),
    ).toMatchObject({
      affectedArtifact: 'a.md',
      location: { file: 'a.md', line: 3 },
      severity: 'critical',
      suggestedFix: 'add one',
    });
  });

  it('refuses unknown options and values', () => {
    expect(() => gap('')).toThrow('`description`');
    expect(() => gap('x', { sevrity: 'minor' } as never)).toThrow('no option `sevrity`');
    expect(() => gap('x', { severity: 'bad' as 'minor' })).toThrow('severity');
    expect(() => gap('x', { file: 'a', line: 0 })).toThrow('line');
    expect(() => gap('x', { line: 1 })).toThrow('`line`');
  });

  it('is what a reviewer returns; the engine signs it', async () => {
    const { gaps } = await definePipeline<string, string>({
      reviewers: [
        {
          id: 'titled',
          version: '1',
          tier: 'code',
          review: async () => [
            {
              verdict: 'fail',
              criterion: 'title',
              score: 0,
              explanation: '',
              gaps: [gap('no title', { file: 'a.md', line: 1 })],
            },
          ],
        },
      ],
    }).review('task', 'text');
    expect(gaps).toMatchObject([
      { description: 'no title', criterionId: 'title', raisedBy: 'titled', lifecycle: 'new' },
    ]);
    expect(gaps[0]?.id).toMatch(/^gap-/);
  });
});
