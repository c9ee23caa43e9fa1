import { type Assessment, isJudged } from '../core/assessment.js';
import type { Gap } from '../core/gap.js';
import type { Review } from '../core/review.js';
import { tokensOf } from '../core/usage.js';
import { plainText, shownText, type TableRow } from './plain-text.js';

/** A review, and its rows in a database. */
export interface ReviewRows {
  readonly review: TableRow;
  readonly assessments: readonly TableRow[];
  readonly gaps: readonly TableRow[];
}

export function reviewRows(runId: string, review: Review): ReviewRows {
  const key = { run_id: plainText(runId), iteration: review.iteration };
  const gaps = [
    ...review.gaps.map((gap) => ({ ...gapColumns(gap), fixed: 0 })),
    ...review.fixed.map((gap) => ({ ...gapColumns(gap), fixed: 1 })),
  ];
  return {
    review: { ...key, ...reviewColumns(review) },
    assessments: review.assessments.map((given, n) => ({ ...key, n, ...assessmentColumns(given) })),
    gaps: gaps.map((gap, n) => ({ ...key, n, ...gap })),
  };
}

function reviewColumns({ scores, decision, usage, ...review }: Review): TableRow {
  return {
    version: plainText(review.version),
    parent: plainText(review.parent),
    complete: Number(review.complete),
    quality: scores.quality,
    completeness: scores.completeness,
    correctness: scores.correctness,
    overall: scores.overall,
    judged: scores.judged,
    total: scores.total,
    decision: decision.kind,
    code: decision.kind === 'stop' ? plainText(decision.code) : null,
    reason: shownText(decision.reason),
    reused: review.reused?.verdicts ?? 0,
    input_tokens: usage.inputTokens ?? null,
    output_tokens: usage.outputTokens ?? null,
    total_tokens: tokensOf(usage) ?? null,
    cost_usd: usage.costUsd ?? null,
    duration_ms: review.durationMs,
    at: plainText(review.at),
  };
}

function assessmentColumns(assessment: Assessment): TableRow {
  const judged = isJudged(assessment) ? assessment : undefined;
  return {
    criterion: plainText(assessment.criterion),
    verdict: assessment.verdict,
    score: judged?.score ?? null,
    explanation: shownText(explanationOf(assessment)),
    code: assessment.verdict === 'errored' ? plainText(assessment.error.code) : null,
    gaps: judged?.gaps.length ?? 0,
  };
}

function explanationOf(assessment: Assessment): string | undefined {
  if (assessment.verdict === 'errored') return assessment.error.message;
  return isJudged(assessment) ? assessment.explanation : assessment.reason;
}

function gapColumns(gap: Gap): TableRow {
  return {
    id: plainText(gap.id),
    severity: gap.severity,
    category: gap.category,
    description: shownText(gap.description),
    suggested_fix: shownText(gap.suggestedFix),
    effort: gap.estimatedEffort,
    auto_fixable: Number(gap.autoFixable),
    requirement: shownText(gap.affectedRequirement),
    criterion: plainText(gap.criterionId),
    raised_by: plainText(gap.raisedBy),
    file: plainText(gap.location?.file ?? gap.affectedArtifact),
    line: gap.location?.line ?? null,
    end_line: gap.location?.endLine ?? null,
    evidence: shownText(gap.evidence),
    lifecycle: gap.lifecycle ?? null,
    standing: gap.standing ?? null,
  };
}
