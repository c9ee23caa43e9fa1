import type { Assessment } from '../core/assessment.js';
import { questionText } from '../core/open-questions.js';
import type { Review } from '../core/review.js';
import type { Scores } from '../core/scores.js';
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
    scores: reportScores(scores),
    decision: { kind: decision.kind, reason: decision.reason },
    gaps: [...review.gaps],
    fixed: [...review.fixed],
    assessments: review.assessments.map(reportAssessment),
    ...(review.reused && {
      reused: { verdicts: review.reused.verdicts, saved: { ...review.reused.saved } },
    }),
  };
}

/** Returns scores as JSON data. */
export function reportScores(scores: Scores): ReviewReport['scores'] {
  const { criteria, requirements } = scores;
  return { ...scores, criteria: { ...criteria }, requirements: { ...requirements } };
}

/** Returns an assessment as JSON data. */
export function reportAssessment(assessment: Assessment): AssessmentReport {
  const { criterion, verdict } = assessment;
  switch (assessment.verdict) {
    case 'pass':
    case 'fail':
      return {
        criterion,
        verdict,
        score: assessment.score,
        text: assessment.explanation,
        ...(assessment.decidedBy !== undefined && { decidedBy: assessment.decidedBy }),
      };
    case 'undecided':
      return {
        criterion,
        verdict,
        text: assessment.reason,
        question: questionText(assessment),
        decidableBy: [...assessment.decidableBy],
      };
    case 'skipped':
      return { criterion, verdict, text: assessment.reason };
    case 'errored':
      return { criterion, verdict, text: assessment.error.message, code: assessment.error.code };
  }
}
