import { describe, expect, it } from 'vitest';
import { AssessmentSchema } from '@/core/assessment.js';
import { ReviewLoopError } from '@/core/errors.js';
import { EffortSchema, type Gap, GapCategorySchema, GapSchema, gap } from '@/core/gap.js';
import { definePipeline } from '@/index.js';
import { reviewerOf } from '../../support/reviewer.js';

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
        reviewerOf('titled', async () => [
          {
            verdict: 'fail',
            criterion: 'title',
            score: 0,
            explanation: '',
            gaps: [gap('no title', { file: 'a.md', line: 1 })],
          },
        ]),
      ],
    }).review('task', 'text');
    expect(gaps).toMatchObject([
      { description: 'no title', criterionId: 'title', raisedBy: 'titled', lifecycle: 'new' },
    ]);
    expect(gaps[0]?.id).toMatch(/^gap-/);
  });
});

const said = { criterion: 'c', score: 0.5, explanation: '', gaps: [] };

const undecided = { verdict: 'undecided', criterion: 'c', reason: 'no text', decidableBy: [] };

describe('what a reviewer can say', () => {
  // one test, because a schema is built by the first test that uses it
  it('is one of five verdicts, each with its reason', () => {
    const good = [
      { verdict: 'pass', ...said },
      { verdict: 'fail', ...said, score: 0 },
      { ...undecided, question: 'Is it text?', decidableBy: ['person', 'model'] },
      { verdict: 'skipped', criterion: 'c', reason: 'no page' },
      { verdict: 'errored', criterion: 'c', error: new ReviewLoopError('timeout', 'late') },
    ];
    expect(good.map((assessment) => AssessmentSchema.safeParse(assessment).success)).toEqual(
      good.map(() => true),
    );
    const bad = [
      { verdict: '', ...said },
      { verdict: 'pass', ...said, score: 0 },
      { ...undecided, reason: '' },
      { ...undecided, question: '' },
      { ...undecided, decidableBy: [''] },
      { verdict: 'skipped', criterion: 'c', reason: '' },
      { verdict: 'skipped', criterion: 'c' },
      { verdict: 'errored', criterion: 'c', error: 'late' },
    ];
    expect(bad.filter((assessment) => AssessmentSchema.safeParse(assessment).success)).toEqual([]);
  });

  it('puts gaps into four categories and four efforts', () => {
    expect(GapCategorySchema.options).toEqual(['missing', 'incorrect', 'incomplete', 'quality']);
    expect(EffortSchema.options).toEqual(['trivial', 'small', 'medium', 'large']);
  });
});
