import { describe, expect, it } from 'vitest';
import { llmCriterion } from '../../../src/index.js';
import { acceptDraft, draftCriteria } from '../../../src/lessons/index.js';
import type { LessonInput } from '../../../src/lessons/lesson.js';

const lesson = (gapPatterns: readonly unknown[]): LessonInput => ({
  category: 'pattern',
  title: 'x',
  summary: 'x',
  details: JSON.stringify({
    agentId: 'a',
    taskType: 'general',
    iterations: 2,
    initialScore: 0.2,
    finalScore: 0.9,
    gapPatterns,
    successfulFixes: [],
  }),
  tags: [],
  sourceAgent: 'a',
  confidence: 0.5,
});
const labels = { category: 'missing', severity: 'major', frequency: 1, examples: ['no label'] };

describe('drafts of checklist items', () => {
  it('come from what was seen more than once, and are data that judges nothing', () => {
    const rare = { category: 'quality', severity: 'minor', frequency: 1, examples: ['dull'] };
    const drafts = draftCriteria([
      lesson([labels, rare]),
      lesson([{ ...labels, examples: ['no name'] }]),
    ]);
    expect(drafts).toEqual([
      {
        status: 'draft',
        id: expect.stringMatching(/^lesson-missing-major-\w{6}$/),
        question: expect.stringContaining('no label / no name'),
        severity: 'major',
        because: { seen: 2, lessons: 2, examples: ['no label', 'no name'] },
      },
    ]);
    expect(drafts[0]).not.toHaveProperty('validate');
    expect(draftCriteria([])).toEqual([]);
    expect(
      draftCriteria([
        { ...lesson([]), details: 'no JSON' },
        { ...lesson([]), details: '{}' },
      ]),
    ).toEqual([]);
  });

  it('become a criterion only when a person accepts them', () => {
    const [draft] = draftCriteria([lesson([{ ...labels, frequency: 2 }])]);
    if (draft === undefined) throw new Error('no draft');
    const accepted = acceptDraft(draft, { by: 'ann', question: 'Does every field have a label?' });
    expect(llmCriterion(accepted)).toMatchObject({
      id: draft.id,
      severity: 'major',
      description: expect.stringContaining('accepted by ann'),
    });
    expect(() => acceptDraft(draft, { by: ' ' })).toThrow(/the person who accepts/);
    expect(() => acceptDraft({ ...draft, status: 'accepted' } as never, { by: 'ann' })).toThrow(
      /a draft/,
    );
    expect(() => acceptDraft(draft, { by: 'ann', question: '' })).toThrow(/question/);
  });
});
