import type { Assessment } from '../core/assessment.js';
import type { Review } from '../core/review.js';
import type { AssessmentReport, ReviewReport } from './run-report.js';

/** Returns a review as JSON data. */
export function reportReview(review: Review, best: boolean): ReviewReport {
  const { iteration, version, at, durationMs, complete, scores, decision } = review;
  return {
    iteration,
    version,
    at,
    durationMs,
    complete,
    best,
    scores: { ...scores },
    decision: { kind: decision.kind, reason: decision.reason },
    gaps: [...review.gaps],
    fixed: [...review.fixed],
    assessments: review.assessments.map(reportAssessment),
    ...(review.reused && {
      reused: { verdicts: review.reused.verdicts, saved: { ...review.reused.saved } },
    }),
  };
}

/** Returns an assessment as JSON data. */
export function reportAssessment(assessment: Assessment): AssessmentReport {
  const { criterion, verdict } = assessment;
  switch (assessment.verdict) {
    case 'pass':
    case 'fail':
      return { criterion, verdict, score: assessment.score, text: assessment.explanation };
    case 'skipped':
      return { criterion, verdict, text: assessment.reason };
    case 'errored':
      return { criterion, verdict, text: assessment.error.message, code: assessment.error.code };
  }
}
