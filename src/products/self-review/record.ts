import type { Assessment } from '../../core/assessment.js';
import type { RequirementCoverage } from '../../core/coverage.js';
import { countOf } from '../../core/gap.js';
import { hashText } from '../../core/hash.js';
import type { Review } from '../../core/review.js';
import { overallSoFar } from '../../core/scores.js';
import { tokensOf } from '../../core/usage.js';
import type { ReviewDecision, SelfReviewResult } from './self-review-result.js';

const sentences: Readonly<Record<ReviewDecision | 'left', string>> = {
  approved: 'All quality thresholds met.',
  needs_work: 'Addressing identified gaps.',
  left: 'The gaps are left.',
  escalate: 'Escalating for human review.',
};

export function reviewDecisionOf(review: Review): ReviewDecision {
  switch (review.decision.kind) {
    case 'approve':
      return 'approved';
    case 'revise':
      return 'needs_work';
    case 'accept':
    case 'ask':
      return 'escalate';
    case 'stop':
      return review.decision.status === 'exhausted' || review.decision.status === 'stalled'
        ? 'needs_work'
        : 'escalate';
  }
}

interface AboutReview {
  readonly reviewId: string;
  readonly taskId: string;
  readonly agentId: string;
  /** Whether the run ended with its gaps. @default false they were addressed */
  readonly left?: boolean | undefined;
}

export function selfReviewResultOf(review: Review, about: AboutReview): SelfReviewResult {
  const { overall, completeness, correctness } = recordedScores(review);
  const gaps = [...review.gaps];
  const coverage = coverageOf(review.assessments);
  const tokensUsed = tokensOf(review.usage);
  const decision = reviewDecisionOf(review);
  return {
    reviewId: about.reviewId,
    taskId: about.taskId,
    agentId: about.agentId,
    iteration: review.iteration,
    qualityScore: overallSoFar(review.scores) ?? 0,
    completenessScore: completeness,
    correctnessScore: correctness,
    overallScore: overall,
    taskRequirements: coverage.map((entry) => entry.requirement),
    requirementsCovered: coverage,
    gaps,
    ...(review.closed && { closedGaps: [...review.closed] }),
    criticalGapCount: countOf(gaps, 'critical'),
    majorGapCount: countOf(gaps, 'major'),
    minorGapCount: countOf(gaps, 'minor'),
    decision,
    reasoning: reasoningOf(review, about.left && decision === 'needs_work' ? 'left' : decision),
    reviewDurationMs: review.durationMs,
    ...(tokensUsed !== undefined && { tokensUsed }),
    timestamp: review.at,
  };
}

/** A UUID (version 8). The same run and iteration have the same id, also in a replay. */
export function reviewIdOf(runId: string, iteration: number): string {
  const hex = hashText(`${runId}\u0000${iteration}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function coverageOf(assessments: readonly Assessment[]): RequirementCoverage[] {
  return assessments.flatMap((assessment) =>
    'coverage' in assessment ? (assessment.coverage ?? []) : [],
  );
}

/**
 * A score is 1 for requirements and faults of which there are none, as the self-review loop
 * specifies. `null` is unknown: something is open, or nobody was asked.
 */
function recordedScores({ scores, complete }: Review) {
  const { overall, completeness, correctness, requirements } = scores;
  const none = complete && scores.judged > 0 && scores.soFar === undefined ? 1 : null;
  return {
    overall,
    completeness: completeness ?? (requirements.total === 0 ? none : null),
    correctness: correctness ?? none,
  };
}

/** One decimal keeps 79.6 % from reading as 80 %. */
function reasoningOf(review: Review, end: keyof typeof sentences): string {
  const scores = recordedScores(review);
  const counts = (['critical', 'major', 'minor'] as const)
    .map((severity) => [countOf(review.gaps, severity), severity] as const)
    .filter(([count]) => count > 0);
  const parts = [
    `Quality: ${percent(scores.overall)}`,
    `Completeness: ${percent(scores.completeness)}`,
  ];
  if (counts.length > 0)
    parts.push(`Gaps: ${counts.map(([count, severity]) => `${count} ${severity}`).join(', ')}`);
  return [...parts, sentences[end]].join(' | ');
}

function percent(value: number | null): string {
  return value === null ? 'unknown' : `${Math.floor(value * 1000 + 1e-10) / 10}%`;
}
