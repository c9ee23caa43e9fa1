import fc from 'fast-check';
import {
  type LessonDetails,
  LessonDetailsSchema,
  type LessonInput,
} from '@/blocks/lessons/lesson.js';
import { countOf } from '@/core/gap.js';
import type { Gap, Outcome, Review, SelfReviewResult } from '@/index.js';

let made = 0;

/** A gap of its own, unless an id is given. */
export function gap(more: Partial<Gap> = {}): Gap {
  made += 1;
  return {
    ...{ id: `gap-${made}`, severity: 'major', category: 'missing', description: 'no alt text' },
    ...{ suggestedFix: 'add alt text', estimatedEffort: 'small', autoFixable: true, ...more },
  };
}

/** The record of one review. */
export function result(qualityScore: number, gaps: Gap[] = []): SelfReviewResult {
  return {
    ...{ reviewId: 'r', taskId: 't', agentId: 'designer', iteration: 1, qualityScore },
    ...{ completenessScore: 1, correctnessScore: 1, overallScore: qualityScore },
    ...{ taskRequirements: [], requirementsCovered: [], gaps },
    criticalGapCount: countOf(gaps, 'critical'),
    majorGapCount: countOf(gaps, 'major'),
    minorGapCount: countOf(gaps, 'minor'),
    decision: 'needs_work',
    reasoning: '',
    reviewDurationMs: 1,
    timestamp: '2026-01-01T00:00:00.000Z',
  };
}

/** The details of a lesson that must be there. */
export function detailsIn(lesson: LessonInput | null): LessonDetails {
  return LessonDetailsSchema.parse(JSON.parse(lesson?.details ?? 'null'));
}

/** One review of an outcome. */
export function review(
  iteration: number,
  quality: number,
  gaps: readonly Gap[],
  fixed: readonly Gap[] = [],
  judged = 1,
): Review {
  return {
    iteration,
    version: `v${iteration}`,
    assessments: [],
    gaps,
    fixed,
    scores: {
      quality,
      completeness: 1,
      correctness: 1,
      overall: quality,
      judged,
      total: 1,
      criteria: { met: judged, judged, total: 1 },
      requirements: { met: 0, judged: 0, total: 0 },
    },
    decision: { kind: 'stop', status: 'stalled', reason: 'no progress', code: 'no_progress' },
    complete: judged > 0,
    usage: {},
    durationMs: 1,
    at: '2026-01-01T00:00:00.000Z',
  };
}

let runs = 0;

/** An outcome over reviews, of a run of its own unless an id is given. */
export function outcomeOf(reviews: readonly Review[], runId = `run-${++runs}`): Outcome<unknown> {
  return {
    status: 'stalled',
    approved: false,
    output: 'text',
    runId,
    reason: 'no progress',
    code: 'no_progress',
    reviews,
    usage: { produce: {}, review: {}, address: {} },
  };
}

/** A run that had one kind of gap and mended it. */
export function improvedRun(
  task: unknown,
  description: string,
  more: Partial<Gap> = {},
  runId?: string,
): { task: unknown; outcome: Outcome<unknown> } {
  const found = gap({ description, ...more });
  return {
    task,
    outcome: outcomeOf([review(1, 0.5, [found]), review(2, 0.9, [], [found])], runId),
  };
}

/** Any gap at all. */
export const anyGap: fc.Arbitrary<Gap> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  severity: fc.constantFrom('critical', 'major', 'minor'),
  category: fc.constantFrom('missing', 'incorrect', 'incomplete', 'quality'),
  description: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 300, maxLength: 600, unit: 'binary' }),
    fc.constant('"'.repeat(400)),
  ),
  suggestedFix: fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\\'.repeat(400))),
  estimatedEffort: fc.constant('small'),
  autoFixable: fc.boolean(),
});

/** Any list of reviews. */
export const anyReviews: fc.Arbitrary<SelfReviewResult[]> = fc.array(
  fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.array(anyGap, { maxLength: 15 }))
    .map(([score, gaps]) => result(score, gaps)),
  { maxLength: 5 },
);
