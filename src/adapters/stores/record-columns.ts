import { type Assessment, isJudged } from '../../core/assessment.js';
import type { Gap } from '../../core/gap.js';
import type { Review } from '../../core/review.js';
import { tokensOf } from '../../core/usage.js';
import type { JournalRecord } from '../../ports/store.js';
import { plainText, shownText, type TableRow } from './rows/table-database.js';

/** A record of one type, with its run and the number of records before it. */
export interface PlacedRecord<Type extends JournalRecord['type'] = JournalRecord['type']> {
  readonly runId: string;
  readonly n: number;
  readonly record: Extract<JournalRecord, { type: Type }>;
}

export interface RecordRow {
  readonly table: 'steps' | 'questions' | 'answers';
  readonly id: string | number;
  readonly row: TableRow;
}

/** Returns the row that a record has beside it; `undefined` if it has none. */
export function recordRow({ runId, n, record }: PlacedRecord): RecordRow | undefined {
  switch (record.type) {
    case 'step':
    case 'attempt':
      return { table: 'steps', id: n, row: stepColumns({ runId, n, record }) };
    case 'request': {
      const row = questionColumns({ runId, n, record });
      return { table: 'questions', id: String(row['id']), row };
    }
    case 'answer':
      return { table: 'answers', id: n, row: answerColumns({ runId, n, record }) };
    default:
      return undefined;
  }
}

function questionColumns({ runId, record }: PlacedRecord<'request'>): TableRow {
  const { id, digest, question, allowed, approved, gaps, expiresAt } = record.request;
  return {
    run_id: runId,
    id: plainText(id),
    version: plainText(digest),
    question: plainText(question),
    allowed: allowed.join(' '),
    approved: approved === undefined ? null : Number(approved),
    gaps: gaps.length,
    asked_at: record.at,
    expires_at: plainText(expiresAt),
  };
}

function answerColumns({ runId, n, record }: PlacedRecord<'answer'>): TableRow {
  const { answer } = record;
  return {
    run_id: runId,
    n,
    id: plainText(record.id),
    version: plainText(record.digest),
    kind: answer.kind,
    who: plainText(answer.by),
    reason: plainText(answer.kind === 'revise' ? answer.note : answer.reason),
    at: record.at,
  };
}

function stepColumns({ runId, n, record }: PlacedRecord<'step' | 'attempt'>): TableRow {
  const [, iteration, reviewer] = /^iter:(\d+)\/(?:review:([^/]+))?/.exec(record.name) ?? [];
  const { usage = {} } = record;
  const failure = record.type === 'attempt' ? record : undefined;
  return {
    run_id: runId,
    n,
    name: plainText(record.name),
    iteration: iteration === undefined ? null : Number(iteration),
    reviewer: plainText(reviewer),
    failed: Number(failure !== undefined),
    code: plainText(failure?.code),
    message: plainText(failure?.message),
    input_tokens: usage.inputTokens ?? null,
    output_tokens: usage.outputTokens ?? null,
    cached_input_tokens: usage.cachedInputTokens ?? null,
    total_tokens: usage.totalTokens ?? null,
    cost_usd: usage.costUsd ?? null,
    workspace: record.type === 'step' ? plainText(record.workspace) : null,
    at: record.at,
  };
}

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
