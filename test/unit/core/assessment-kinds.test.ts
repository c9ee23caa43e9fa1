import { describe, expect, it } from 'vitest';
import { AssessmentSchema } from '../../../src/core/assessment.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { EffortSchema, GapCategorySchema } from '../../../src/core/gap.js';

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
