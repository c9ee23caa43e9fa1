import type { Assessment } from '../../core/assessment.js';
import { isJudged } from '../../core/assessment.js';
import type { Gap } from '../../core/gap.js';
import type { Review } from '../../core/review.js';
import { tokensOf } from '../../core/usage.js';
import type { Tables } from './database.js';
import { plainText } from './driver.js';

/** Adds a review with what it says, in the place of what is told of the same iteration. */
export function insertReview(tables: Tables, runId: string, review: Review): void {
  const { iteration, scores, decision, usage } = review;
  for (const table of ['assessments', 'gaps'])
    tables.run(`DELETE FROM ${table} WHERE run_id = ? AND iteration = ?`, runId, iteration);
  const about = [
    runId,
    iteration,
    plainText(review.version),
    plainText(review.parent),
    Number(review.complete),
  ];
  const scored = [
    scores.quality,
    scores.completeness,
    scores.correctness,
    scores.overall,
    scores.judged,
    scores.total,
  ];
  const decided = [
    decision.kind,
    decision.kind === 'stop' ? plainText(decision.code) : null,
    plainText(decision.reason),
    review.reused?.verdicts ?? 0,
  ];
  const spent = [
    usage.inputTokens ?? null,
    usage.outputTokens ?? null,
    tokensOf(usage) ?? null,
    usage.costUsd ?? null,
  ];
  tables.run(
    `INSERT OR REPLACE INTO reviews (run_id, iteration, version, parent, complete, quality, completeness, correctness, overall, judged, total, decision, code, reason, reused,
       input_tokens, output_tokens, total_tokens, cost_usd, duration_ms, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[...about, ...scored, ...decided, ...spent, review.durationMs, plainText(review.at)],
  );
  for (const [n, assessment] of review.assessments.entries())
    insertAssessment(tables, [runId, iteration, n], assessment);
  const gaps = [
    ...review.gaps.map((gap) => ({ gap, fixed: 0 })),
    ...review.fixed.map((gap) => ({ gap, fixed: 1 })),
  ];
  for (const [n, { gap, fixed }] of gaps.entries())
    insertGap(tables, [runId, iteration, n], gap, fixed);
}

type Place = readonly [runId: string, iteration: number, n: number];

function insertAssessment(tables: Tables, place: Place, assessment: Assessment): void {
  const judged = isJudged(assessment) ? assessment : undefined;
  const explanation =
    assessment.verdict === 'errored'
      ? assessment.error.message
      : assessment.verdict === 'skipped'
        ? assessment.reason
        : assessment.explanation;
  const code = assessment.verdict === 'errored' ? assessment.error.code : undefined;
  tables.run(
    'INSERT INTO assessments (run_id, iteration, n, criterion, verdict, score, explanation, code, gaps) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[
      ...place,
      plainText(assessment.criterion),
      assessment.verdict,
      judged?.score ?? null,
      plainText(explanation),
      plainText(code),
      judged?.gaps.length ?? 0,
    ],
  );
}

function insertGap(tables: Tables, place: Place, gap: Gap, fixed: number): void {
  const { location } = gap;
  const said = [
    gap.severity,
    gap.category,
    plainText(gap.description),
    plainText(gap.suggestedFix),
    gap.estimatedEffort,
    Number(gap.autoFixable),
  ];
  const whose = [
    plainText(gap.affectedRequirement),
    plainText(gap.criterionId),
    plainText(gap.raisedBy),
  ];
  const where = [
    plainText(location?.file ?? gap.affectedArtifact),
    location?.line ?? null,
    location?.endLine ?? null,
    plainText(gap.evidence),
  ];
  tables.run(
    `INSERT INTO gaps (run_id, iteration, n, id, severity, category, description, suggested_fix, effort, auto_fixable, requirement, criterion, raised_by, file, line, end_line, evidence, lifecycle,
       standing, fixed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[
      ...place,
      plainText(gap.id),
      ...said,
      ...whose,
      ...where,
      gap.lifecycle ?? null,
      gap.standing ?? null,
      fixed,
    ],
  );
}
