import type { Assessment } from '../core/assessment.js';
import { questionText } from '../core/decision.js';
import type { Review } from '../core/review.js';
import { requirementIds } from './requirement-ids.js';
import type { AssessmentReport, ReviewReport } from './run-report.js';
import { verdictCounts } from './verdict-counts.js';

export function reportReview(review: Review, best: boolean): ReviewReport {
  const { iteration, version, at, durationMs, complete, decision } = review;
  const ids = requirementIds(review.assessments);
  return {
    iteration,
    version,
    ...(review.parent !== undefined && { parent: review.parent }),
    at,
    durationMs,
    complete,
    best,
    scores: reportScores(review.scores),
    counts: { ...verdictCounts(review.assessments) },
    decision: { kind: decision.kind, reason: decision.reason },
    gaps: [...review.gaps],
    fixed: [...review.fixed],
    ...(review.closed && { closed: [...review.closed] }),
    assessments: review.assessments.map((assessment) => ({
      ...reportAssessment(assessment),
      ...(ids.has(assessment.criterion) && { id: ids.get(assessment.criterion) }),
    })),
    usage: { ...review.usage },
    ...(review.reused && {
      reused: { verdicts: review.reused.verdicts, saved: { ...review.reused.saved } },
    }),
  };
}

function reportScores({ soFar: _, ...scores }: Review['scores']): ReviewReport['scores'] {
  const { criteria, requirements } = scores;
  return { ...scores, criteria: { ...criteria }, requirements: { ...requirements } };
}

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
        ...(assessment.grade !== undefined && { grade: assessment.grade }),
        ...(assessment.votes !== undefined && { votes: assessment.votes }),
      };
    case 'undecided':
      return {
        criterion,
        verdict,
        text: assessment.reason,
        question: questionText(assessment),
        decidableBy: [...assessment.decidableBy],
        ...(assessment.mandatory === false && { mandatory: assessment.mandatory }),
      };
    case 'skipped':
      return { criterion, verdict, text: assessment.reason };
    case 'errored':
      return { criterion, verdict, text: assessment.error.message, code: assessment.error.code };
  }
}
