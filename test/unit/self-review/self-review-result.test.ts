import { describe, expect, it } from 'vitest';
import { RequirementCoverageSchema } from '../../../src/core/coverage.js';
import { EffortSchema, type Gap, GapCategorySchema, GapSchema } from '../../../src/core/gap.js';
import type { Review } from '../../../src/core/review.js';
import {
  reviewDecisionOf,
  reviewIdOf,
  selfReviewResultOf,
} from '../../../src/self-review/record.js';
import {
  ReviewDecisionSchema,
  type SelfReviewResult,
  SelfReviewResultSchema,
} from '../../../src/self-review/self-review-result.js';

const gap: Gap = {
  id: 'g',
  severity: 'major',
  category: 'quality',
  description: 'd',
  suggestedFix: 'f',
  estimatedEffort: 'small',
  autoFixable: true,
};
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
  it('the category is missing, incorrect, incomplete or quality [SR-18]', () => {
    expect(GapCategorySchema.options).toEqual(['missing', 'incorrect', 'incomplete', 'quality']);
  });

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

  it('the effort is trivial, small, medium or large [SR-25]', () => {
    expect(EffortSchema.options).toEqual(['trivial', 'small', 'medium', 'large']);
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

  it.each(['explicit', 'implicit', 'inferred'])('SR-28: takes the source %s', (source) => {
    expect(RequirementCoverageSchema.safeParse({ ...coverage, source }).success).toBe(true);
  });

  it('takes a coverage with or without the place of its evidence [SR-30]', () => {
    expect(
      RequirementCoverageSchema.parse({ ...coverage, evidenceLocation: 'a.html:3' }),
    ).toHaveProperty('evidenceLocation');
    expect(RequirementCoverageSchema.parse(coverage)).not.toHaveProperty('evidenceLocation');
  });

  it.each([-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses the confidence %s [SR-31]',
    (confidence) => {
      expect(RequirementCoverageSchema.safeParse({ ...coverage, confidence }).success).toBe(false);
    },
  );
});

describe('SelfReviewResultSchema', () => {
  const result = selfReviewResultOf(review, about);

  it.each(['reviewId', 'taskId', 'agentId', 'iteration'])(
    'SR-33: refuses a result without %s',
    (key) => {
      expect(SelfReviewResultSchema.parse(result)).toEqual(result);
      expect(SelfReviewResultSchema.safeParse(without(result, key)).success).toBe(false);
      expect(SelfReviewResultSchema.safeParse({ ...result, iteration: 0 }).success).toBe(false);
    },
  );

  it.each(['qualityScore', 'completenessScore', 'correctnessScore', 'overallScore'])(
    'SR-34/D004-09: refuses a %s outside 0 to 1, and NaN',
    (key) => {
      for (const score of [-0.01, 1.01, Number.NaN, undefined])
        expect(SelfReviewResultSchema.safeParse({ ...result, [key]: score }).success).toBe(false);
      for (const score of [0, 1])
        expect(SelfReviewResultSchema.safeParse({ ...result, [key]: score }).success).toBe(true);
    },
  );

  it('holds the requirements of the task and how they are covered [SR-35]', () => {
    expect(result).toMatchObject({
      taskRequirements: ['has a form'],
      requirementsCovered: [coverage],
    });
    for (const key of ['taskRequirements', 'requirementsCovered'])
      expect(SelfReviewResultSchema.safeParse(without(result, key)).success).toBe(false);
  });

  it('holds the gaps and counts them by severity [SR-36]', () => {
    expect(result).toMatchObject({
      gaps: review.gaps,
      criticalGapCount: 1,
      majorGapCount: 2,
      minorGapCount: 0,
    });
  });

  it.each(['criticalGapCount', 'majorGapCount', 'minorGapCount'])(
    'D004-41: refuses a %s that the gaps do not bear out',
    (key) => {
      expect(SelfReviewResultSchema.safeParse({ ...result, [key]: 5 }).success).toBe(false);
      expect(SelfReviewResultSchema.safeParse({ ...result, gaps: [] }).success).toBe(false);
    },
  );

  it('holds decision and reasoning [SR-37]', () => {
    expect(result.decision).toBe('needs_work');
    for (const key of ['decision', 'reasoning'])
      expect(SelfReviewResultSchema.safeParse(without(result, key)).success).toBe(false);
  });

  it('holds duration and time, and tokens where they are known [SR-38]', () => {
    expect(result).toMatchObject({ reviewDurationMs: 12, timestamp: '2026-01-01T00:00:00.000Z' });
    expect(result).not.toHaveProperty('tokensUsed');
    expect(
      selfReviewResultOf({ ...review, usage: { inputTokens: 4, outputTokens: 3 } }, about)
        .tokensUsed,
    ).toBe(7);
    for (const key of ['reviewDurationMs', 'timestamp'])
      expect(SelfReviewResultSchema.safeParse(without(result, key)).success).toBe(false);
    expect(SelfReviewResultSchema.safeParse({ ...result, reviewDurationMs: -1 }).success).toBe(
      false,
    );
  });
});

describe('reviewIdOf', () => {
  it('is a UUID, the same for the same run and iteration [SR-86]', () => {
    expect(reviewIdOf('run', 1)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(reviewIdOf('run', 1)).toBe(reviewIdOf('run', 1));
    expect(
      new Set([
        reviewIdOf('run', 1),
        reviewIdOf('run', 2),
        reviewIdOf('run1', 1),
        reviewIdOf('run', 11),
      ]).size,
    ).toBe(4);
  });
});

describe('ReviewDecision', () => {
  it('is approved, needs_work or escalate [SR-32]', () => {
    expect(ReviewDecisionSchema.options).toEqual(['approved', 'needs_work', 'escalate']);
  });

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
