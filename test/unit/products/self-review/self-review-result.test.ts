import { describe, expect, it } from 'vitest';
import { RequirementCoverageSchema } from '@/core/coverage.js';
import { EffortSchema, GapCategorySchema, GapSchema } from '@/core/gap.js';
import type { Review } from '@/core/review.js';
import type { AgentOutput } from '@/index.js';
import { AgentOutputSchema } from '@/products/self-review/agent.js';
import { mergeImprovements } from '@/products/self-review/index.js';
import { reviewDecisionOf, reviewIdOf, selfReviewResultOf } from '@/products/self-review/record.js';
import {
  ReviewDecisionSchema,
  type SelfReviewResult,
  SelfReviewResultSchema,
} from '@/products/self-review/self-review-result.js';
import { gapOf } from '../../engine/policies/fixtures.js';

const gap = gapOf();
const coverage = {
  requirement: 'has a form',
  source: 'explicit',
  covered: true,
  coverageDetails: 'line 3',
  confidence: 0.9,
} as const;

const review: Review = {
  iteration: 2,
  version: 'v',
  assessments: [
    { verdict: 'pass', criterion: 'requirements', score: 1, explanation: '', gaps: [], coverage },
  ],
  gaps: [{ ...gap, severity: 'critical' }, gap, gap],
  fixed: [],
  scores: {
    quality: 0.5,
    completeness: 0.75,
    correctness: 1,
    overall: 0.7,
    judged: 2,
    total: 2,
    criteria: { met: 1, judged: 2, total: 2 },
    requirements: { met: 3, judged: 4, total: 4 },
  },
  decision: { kind: 'revise', reason: 'r', from: 'best', blocking: [gap] },
  complete: true,
  usage: {},
  durationMs: 12,
  at: '2026-01-01T00:00:00.000Z',
};
const about = { reviewId: 'review', taskId: 'task', agentId: 'agent' };

function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

describe('GapSchema', () => {
  it.each(['id', 'severity', 'category', 'description', 'suggestedFix', 'estimatedEffort'])(
    'SR-19/SR-20/SR-21/SR-24: refuses a gap without a good %s',
    (key) => {
      expect(GapSchema.safeParse(gap).success).toBe(true);
      expect(GapSchema.safeParse(without(gap, key)).success).toBe(false);
      expect(GapSchema.safeParse({ ...gap, [key]: 7 }).success).toBe(false);
    },
  );

  it.each(['affectedRequirement', 'affectedArtifact'])(
    'SR-22/SR-23: takes a gap with or without %s',
    (key) => {
      expect(GapSchema.parse({ ...gap, [key]: 'x' })).toMatchObject({ [key]: 'x' });
      expect(GapSchema.parse(gap)).not.toHaveProperty(key);
      expect(GapSchema.safeParse({ ...gap, [key]: 7 }).success).toBe(false);
    },
  );

  it('a category, an effort and a decision are one of a few words [SR-18, SR-25, SR-32]', () => {
    expect(GapCategorySchema.options).toEqual(['missing', 'incorrect', 'incomplete', 'quality']);
    expect(EffortSchema.options).toEqual(['trivial', 'small', 'medium', 'large']);
    expect(ReviewDecisionSchema.options).toEqual(['approved', 'needs_work', 'escalate']);
  });

  it('a gap is auto-fixable unless it says otherwise [SR-26]', () => {
    expect(GapSchema.parse(without(gap, 'autoFixable')).autoFixable).toBe(true);
    expect(GapSchema.parse({ ...gap, autoFixable: false }).autoFixable).toBe(false);
    expect(GapSchema.safeParse({ ...gap, autoFixable: 'yes' }).success).toBe(false);
  });

  it('counts lines from 1', () => {
    expect(GapSchema.safeParse({ ...gap, location: { file: 'a', line: 0 } }).success).toBe(false);
    expect(
      GapSchema.safeParse({ ...gap, location: { file: 'a', line: 1, endLine: 2 } }).success,
    ).toBe(true);
  });
});

describe('RequirementCoverageSchema', () => {
  it.each(['requirement', 'covered', 'coverageDetails', 'confidence', 'source'])(
    'SR-27/SR-28/SR-29: refuses a coverage without a good %s',
    (key) => {
      expect(RequirementCoverageSchema.safeParse(without(coverage, key)).success).toBe(false);
      expect(RequirementCoverageSchema.safeParse({ ...coverage, [key]: 'other' }).success).toBe(
        ['requirement', 'coverageDetails'].includes(key),
      );
      expect(RequirementCoverageSchema.safeParse({ ...coverage, [key]: null }).success).toBe(false);
    },
  );

  it('takes a coverage with or without the place of its evidence [SR-28, SR-30]', () => {
    for (const source of ['explicit', 'implicit', 'inferred'])
      expect(RequirementCoverageSchema.safeParse({ ...coverage, source }).success).toBe(true);
    const placed = { ...coverage, evidenceLocation: 'a.html:3' };
    expect(RequirementCoverageSchema.parse(placed)).toHaveProperty('evidenceLocation');
    expect(RequirementCoverageSchema.parse(coverage)).not.toHaveProperty('evidenceLocation');
  });

  it('refuses a confidence that is none [SR-31]', () => {
    for (const confidence of [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(RequirementCoverageSchema.safeParse({ ...coverage, confidence }).success).toBe(false);
  });
});

describe('SelfReviewResultSchema', () => {
  const known = { ...review, usage: { inputTokens: 4, outputTokens: 3 } };
  const result = selfReviewResultOf(known, about);
  const text = [1, undefined];
  const score = [-0.01, 1.01, Number.NaN, undefined];
  const wrong: [keyof typeof result, readonly unknown[]][] = [
    ['reviewId', text],
    ['taskId', text],
    ['agentId', text],
    ['iteration', [0, 1.5, undefined]],
    ['qualityScore', score],
    ['completenessScore', score],
    ['correctnessScore', score],
    ['overallScore', score],
    ['taskRequirements', [[1], undefined]],
    ['requirementsCovered', [[{}], undefined]],
    ['gaps', [[{}], [], undefined]],
    ['criticalGapCount', [0, 2, -1, undefined]],
    ['majorGapCount', [1, 3, -1, undefined]],
    ['minorGapCount', [1, -1, undefined]],
    ['decision', ['rejected', undefined]],
    ['reasoning', text],
    ['reviewDurationMs', [-1, undefined]],
    ['tokensUsed', [-1]],
    ['timestamp', text],
  ];

  it.each(wrong)('is refused with a wrong %s [SR-33, SR-34, D004-09, D004-41]', (key, values) => {
    for (const value of values)
      expect(SelfReviewResultSchema.safeParse({ ...result, [key]: value }).success).toBe(false);
  });

  it('holds requirements, gaps and their counts, decision, duration, time and tokens [SR-35, SR-36, SR-37, SR-38]', () => {
    expect(result).toMatchObject({
      taskRequirements: ['has a form'],
      requirementsCovered: [coverage],
      gaps: review.gaps,
      criticalGapCount: 1,
      majorGapCount: 2,
      minorGapCount: 0,
      decision: 'needs_work',
      reviewDurationMs: 12,
      tokensUsed: 7,
      timestamp: '2026-01-01T00:00:00.000Z',
    });
    const untold = selfReviewResultOf(review, about);
    expect(untold).not.toHaveProperty('tokensUsed');
    const ends = [0, 1].map((one) => ({
      ...{ ...untold, qualityScore: one, completenessScore: one },
      ...{ correctnessScore: one, overallScore: one },
    }));
    for (const taken of [result, untold, ...ends])
      expect(SelfReviewResultSchema.parse(taken)).toEqual(taken);
  });

  it('counts no gaps below 0, also where there are none', () => {
    const none = { ...result, gaps: [], criticalGapCount: 0, majorGapCount: 0, minorGapCount: 0 };
    expect(SelfReviewResultSchema.safeParse(none).success).toBe(true);
    expect(SelfReviewResultSchema.safeParse({ ...none, minorGapCount: -1 }).success).toBe(false);
  });
});

it('reviewIdOf is a UUID, the same for the same run and iteration [SR-86]', () => {
  expect(reviewIdOf('run', 1)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(reviewIdOf('run', 1)).toBe(reviewIdOf('run', 1));
  const ids = [1, 2, 11].map((iteration) => reviewIdOf('run', iteration));
  expect(new Set([...ids, reviewIdOf('run1', 1)]).size).toBe(4);
});

describe('ReviewDecision', () => {
  it.each<[SelfReviewResult['decision'], Review['decision']]>([
    ['approved', { kind: 'approve', reason: '' }],
    ['needs_work', { kind: 'revise', reason: '', from: 'best', blocking: [gap] }],
    ['escalate', { kind: 'ask', reason: '', question: '?', allowed: [] }],
    ['needs_work', { kind: 'stop', status: 'exhausted', code: '', reason: '' }],
    ['needs_work', { kind: 'stop', status: 'stalled', code: '', reason: '' }],
    ['escalate', { kind: 'stop', status: 'escalated', code: '', reason: '' }],
    ['escalate', { kind: 'stop', status: 'inconclusive', code: '', reason: '' }],
    ['escalate', { kind: 'stop', status: 'rejected', code: '', reason: '' }],
  ])('SR-32: %s stands for %o', (expected, decision) => {
    expect(reviewDecisionOf({ ...review, decision })).toBe(expected);
  });
});

describe('reasoning', () => {
  const reasoning = (changes: Partial<Review>): string =>
    selfReviewResultOf({ ...review, ...changes }, about).reasoning;
  const scored = (overall: number): string =>
    reasoning({ scores: { ...review.scores, overall }, gaps: [] });

  it('tells quality, completeness and counts, and leaves zero counts out [SR-85]', () => {
    expect(reasoning({})).toBe(
      'Quality: 70% | Completeness: 75% | Gaps: 1 critical, 2 major | Addressing identified gaps.',
    );
  });

  it('tells no gaps when there are none, and ends with the sentence of the decision [SR-85]', () => {
    expect(reasoning({ gaps: [], decision: { kind: 'approve', reason: '' } })).toBe(
      'Quality: 70% | Completeness: 75% | All quality thresholds met.',
    );
    expect(
      reasoning({ gaps: [], decision: { kind: 'ask', reason: '', question: '', allowed: [] } }),
    ).toMatch(/Escalating for human review\.$/);
  });

  it.each([
    [0.796, 'Quality: 79.6%'],
    [0.7996, 'Quality: 79.9%'],
    [0.79999, 'Quality: 79.9%'],
    [0.8, 'Quality: 80%'],
    [0.57, 'Quality: 57%'],
    [0.29, 'Quality: 29%'],
    [0, 'Quality: 0%'],
    [1, 'Quality: 100%'],
  ])('D004-46: %s is never rounded up: %s', (score, text) => {
    expect(scored(score).startsWith(`${text} |`)).toBe(true);
  });
});

it('the output of an agent has artifacts, and hints whose members are checked', () => {
  const output = { artifacts: [], routingHints: { needsApproval: true, notes: 'n' } };
  expect(AgentOutputSchema.parse(output)).toEqual(output);
  for (const routingHints of [{ needsApproval: 'yes' }, { notes: 1 }])
    expect(AgentOutputSchema.safeParse({ ...output, routingHints }).success).toBe(false);
});

const html = (path: string, content: string) => ({ type: 'mockup', path, content });
const current: AgentOutput = {
  artifacts: [html('a.html', 'A'), html('b.html', 'B')],
  result: {
    title: 'plan',
    ready: true,
    count: 3,
    note: 'old',
    epics: [
      { id: 1, name: 'one', tasks: [{ id: 't1' }, { id: 't2' }] },
      { id: 2, name: 'two' },
    ],
    tags: ['x', 'y'],
  },
  routingHints: { needsApproval: false, notes: 'first' },
};

describe('mergeImprovements', () => {
  it('replaces artifacts of the same path and adds new ones [SR-91, SR-135]', () => {
    expect(
      mergeImprovements(current, { artifacts: [html('b.html', 'B2'), html('c.html', 'C')] })
        .artifacts,
    ).toEqual([html('a.html', 'A'), html('b.html', 'B2'), html('c.html', 'C')]);
  });

  it('merges results member by member; without a new result the old one stays [SR-90]', () => {
    expect(
      mergeImprovements(current, { artifacts: [], result: { title: 'better' } }).result,
    ).toEqual({ ...(current.result as object), title: 'better' });
    expect(mergeImprovements(current, { artifacts: [] }).result).toEqual(current.result);
    expect(mergeImprovements({ artifacts: [] }, { artifacts: [], result: 'text' }).result).toBe(
      'text',
    );
  });

  it('the latest routing hints are kept [SR-92]', () => {
    expect(mergeImprovements(current, { routingHints: { notes: 'second' } }).routingHints).toEqual({
      notes: 'second',
    });
    expect(mergeImprovements(current, {}).routingHints).toEqual(current.routingHints);
  });

  it('arrays of items with ids are merged by id, and no item is lost [D004-32]', () => {
    const merged = mergeImprovements(current, {
      result: { epics: [{ id: 1, name: 'ONE', tasks: [{ id: 't2', done: true }] }, { id: 3 }] },
    }).result;
    expect(merged).toMatchObject({
      epics: [
        { id: 1, name: 'ONE', tasks: [{ id: 't1' }, { id: 't2', done: true }] },
        { id: 2, name: 'two' },
        { id: 3 },
      ],
    });
  });

  it('other arrays are replaced and stay arrays [D004-32]', () => {
    expect(mergeImprovements(current, { result: { tags: ['z'], epics: [] } }).result).toMatchObject(
      { tags: ['z'], epics: [] },
    );
    expect(mergeImprovements({ artifacts: [], result: [9, 1, 2] }, { result: [3] }).result).toEqual(
      [3],
    );
  });

  it('false, 0 and empty texts are improvements; undefined is none [D004-32]', () => {
    expect(
      mergeImprovements(current, { result: { ready: false, count: 0, note: '', title: undefined } })
        .result,
    ).toMatchObject({ ready: false, count: 0, note: '', title: 'plan' });
    expect(mergeImprovements(current, { result: false }).result).toBe(false);
  });

  it('artifacts can be deleted, a missing list changes none, and neither argument is touched [D004-32]', () => {
    const before = structuredClone(current);
    const merged = mergeImprovements(current, { deleted: ['a.html', 'nowhere'] });
    expect(merged.artifacts).toEqual([html('b.html', 'B')]);
    expect(mergeImprovements({ result: 1 } as unknown as AgentOutput, {}).artifacts).toEqual([]);
    expect(current).toEqual(before);
  });

  it('a result can be replaced whole, other members are taken over, and a hostile key stays a key', () => {
    expect(
      mergeImprovements(current, { result: { only: 1 } }, { result: 'replace' }).result,
    ).toEqual({ only: 1 });
    expect(mergeImprovements(current, { qualityScore: 0.5 }).qualityScore).toBe(0.5);
    const merged = mergeImprovements(current, {
      result: JSON.parse('{"__proto__": {"polluted": true}}') as object,
    }).result as { polluted?: boolean };
    expect(merged.polluted).toBeUndefined();
    expect(Object.hasOwn(merged, '__proto__')).toBe(true);
  });
});
