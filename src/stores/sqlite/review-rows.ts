import { type Assessment, isJudged } from '../../core/assessment.js';
import type { Gap } from '../../core/gap.js';
import type { Review } from '../../core/review.js';
import { tokensOf } from '../../core/usage.js';
import type { SqliteRow, Tables } from './database.js';
import { plainText, shownText } from './driver.js';
import { insertRow, replaceRow } from './insert-row.js';

/** Inserts a review with its assessments and gaps, and replaces those of the same iteration. */
export function insertReview(tables: Tables, runId: string, review: Review): void {
  const { iteration } = review;
  for (const table of ['assessments', 'gaps'])
    tables.run(`DELETE FROM ${table} WHERE run_id = ? AND iteration = ?`, runId, iteration);
  const key = { run_id: runId, iteration };
  const duration_ms = Math.max(review.durationMs, earlierDuration(tables, runId, review));
  replaceRow(tables, 'reviews', { ...key, ...reviewColumns(review), duration_ms });
  for (const [n, assessment] of review.assessments.entries())
    insertRow(tables, 'assessments', { ...key, n, ...assessmentColumns(assessment) });
  const gaps = [
    ...review.gaps.map((gap) => ({ ...gapColumns(gap), fixed: 0 })),
    ...review.fixed.map((gap) => ({ ...gapColumns(gap), fixed: 1 })),
  ];
  for (const [n, gap] of gaps.entries()) insertRow(tables, 'gaps', { ...key, n, ...gap });
}

/** Returns how long the same review took before, when its judges were asked. A replay asks nobody. */
function earlierDuration(tables: Tables, runId: string, { iteration, version }: Review): number {
  const [row] = tables.all(
    'SELECT duration_ms FROM reviews WHERE run_id = ? AND iteration = ? AND version = ?',
    runId,
    iteration,
    plainText(version),
  );
  return Number(row?.['duration_ms'] ?? 0);
}

function reviewColumns({ scores, decision, usage, ...review }: Review): SqliteRow {
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

function assessmentColumns(assessment: Assessment): SqliteRow {
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

function gapColumns(gap: Gap): SqliteRow {
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
