import { type Assessment, isJudged } from '../../core/assessment.js';
import type { Gap } from '../../core/gap.js';
import type { Review } from '../../core/review.js';
import { tokensOf, type Usage } from '../../core/usage.js';
import type { JournalRecord } from '../../ports/store.js';
import { optional, replacing, required, type Table, table } from './rows/columns.js';
import { plainText, type TableRow } from './rows/table-database.js';
import { checksum } from './stored-records.js';

/** `n` is the number of records before it. */
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

const runId = required.id(({ runId: id }: { readonly runId: string }) => id);

const number = required.whole(({ n }: { readonly n: number }) => n);

interface WrittenRecord extends PlacedRecord {
  readonly epoch: number;
  readonly body: string;
}

export const recordRows = table<WrittenRecord>('records', 'run_id, n', {
  run_id: runId,
  n: number,
  epoch: required.whole(({ epoch }) => epoch),
  type: required.text(({ record }) => record.type),
  body: required.exact(({ body }) => body),
  sum: required.exact(({ runId: id, n, body }) => checksum(id, n, body)),
  at: required.figure(({ record }) => record.at),
});

export function runColumns(record: JournalRecord): TableRow {
  const isEnd = record.type === 'end';
  return {
    status: isEnd ? plainText(record.status) : 'running',
    code: isEnd ? plainText(record.code) : null,
    ended_at: isEnd ? record.at : null,
    changed_at: record.at,
    ...(record.type === 'run' && {
      pipeline: plainText(record.pipeline),
      task_digest: plainText(record.taskDigest),
      task: JSON.stringify(record.task ?? null),
      started_at: record.at,
    }),
  };
}

/** Returns the row that a record has beside it; `undefined` if it has none. */
export function recordRow({ runId, n, record }: PlacedRecord): RecordRow | undefined {
  switch (record.type) {
    case 'step':
    case 'attempt':
      return { table: 'steps', id: n, row: steps.row({ runId, n, record }) };
    case 'request': {
      const row = questions.row({ runId, n, record });
      return { table: 'questions', id: String(row['id']), row };
    }
    case 'answer':
      return { table: 'answers', id: n, row: answers.row({ runId, n, record }) };
    default:
      return undefined;
  }
}

/** Unknown figures are NULL, never 0. */
export function usageColumns<Given>(
  of: (given: Given) => Usage | undefined,
): Table<Given>['columns'] {
  return {
    input_tokens: optional.figure((given) => of(given)?.inputTokens),
    output_tokens: optional.figure((given) => of(given)?.outputTokens),
    cached_input_tokens: optional.figure((given) => of(given)?.cachedInputTokens),
    total_tokens: optional.figure((given) => of(given)?.totalTokens),
    cost_usd: optional.real((given) => of(given)?.costUsd),
  };
}

const steps = table<PlacedRecord<'step' | 'attempt'>>('steps', 'run_id, n', {
  run_id: runId,
  n: number,
  name: required.text(({ record }) => record.name),
  iteration: optional.whole(({ record: { name } }) => {
    const [, iteration] = /^iter:(\d+)\//.exec(name) ?? [];
    return iteration === undefined ? undefined : Number(iteration);
  }),
  reviewer: optional.text(({ record }) => /^iter:\d+\/review:([^/]+)/.exec(record.name)?.[1]),
  failed: required.flag(({ record }) => record.type === 'attempt'),
  code: optional.text(({ record }) => (record.type === 'attempt' ? record.code : undefined)),
  message: optional.text(({ record }) => (record.type === 'attempt' ? record.message : undefined)),
  ...usageColumns(({ record }) => record.usage),
  workspace: optional.text(({ record }) => (record.type === 'step' ? record.workspace : undefined)),
  at: required.figure(({ record }) => record.at),
});

export const questions = table<PlacedRecord<'request'>>('questions', 'run_id, id', {
  run_id: runId,
  id: required.text(({ record }) => record.request.id),
  version: required.text(({ record }) => record.request.digest),
  question: required.text(({ record }) => record.request.question),
  allowed: required.text(({ record }) => record.request.allowed.join(' ')),
  approved: optional.flag(({ record }) => record.request.approved),
  gaps: required.whole(({ record }) => record.request.gaps.length),
  asked_at: required.figure(({ record }) => record.at),
  expires_at: optional.text(({ record }) => record.request.expiresAt),
});

const answers = table<PlacedRecord<'answer'>>('answers', 'run_id, n', {
  run_id: runId,
  n: number,
  id: required.text(({ record }) => record.id),
  version: required.text(({ record }) => record.digest),
  kind: required.text(({ record }) => record.answer.kind),
  who: required.text(({ record }) => record.answer.by),
  reason: optional.text(({ record: { answer } }) =>
    answer.kind === 'revise' ? answer.note : answer.reason,
  ),
  at: required.figure(({ record }) => record.at),
});

interface ReviewOf {
  readonly runId: string;
  readonly review: Review;
}

export const reviews = table<ReviewOf>('reviews', 'run_id, iteration', {
  run_id: runId,
  iteration: required.whole(({ review }) => review.iteration),
  version: required.text(({ review }) => review.version),
  parent: optional.text(({ review }) => review.parent),
  complete: required.flag(({ review }) => review.complete),
  quality: optional.real(({ review }) => review.scores.quality),
  completeness: optional.real(({ review }) => review.scores.completeness),
  correctness: optional.real(({ review }) => review.scores.correctness),
  overall: optional.real(({ review }) => review.scores.overall),
  judged: required.whole(({ review }) => review.scores.judged),
  total: required.whole(({ review }) => review.scores.total),
  decision: required.text(({ review }) => review.decision.kind),
  code: optional.text(({ review: { decision } }) =>
    decision.kind === 'stop' ? decision.code : undefined,
  ),
  reason: required.shown(({ review }) => review.decision.reason),
  reused: required.whole(({ review }) => review.reused?.verdicts ?? 0),
  input_tokens: optional.figure(({ review }) => review.usage.inputTokens),
  output_tokens: optional.figure(({ review }) => review.usage.outputTokens),
  total_tokens: optional.figure(({ review }) => tokensOf(review.usage)),
  cost_usd: optional.real(({ review }) => review.usage.costUsd),
  duration_ms: required.figure(({ review }) => review.durationMs),
  at: required.text(({ review }) => review.at),
});

/**
 * Returns what becomes of a review of the same iteration, which is `old`: a replay asks nobody, so it
 * took as long as before.
 */
export function replacingReview(greatest: 'greatest' | 'max'): string {
  const before = 'CASE WHEN old.version = excluded.version THEN old.duration_ms ELSE 0 END';
  return replacing(reviews, { duration_ms: `${greatest}(excluded.duration_ms, ${before})` });
}

interface PartOf<Part> {
  readonly runId: string;
  readonly iteration: number;
  readonly n: number;
  readonly part: Part;
}

const inReview = {
  run_id: runId,
  iteration: required.whole(({ iteration }: PartOf<unknown>) => iteration),
  n: number,
};

export const assessments = table<PartOf<Assessment>>('assessments', 'run_id, iteration, n', {
  ...inReview,
  criterion: required.text(({ part }) => part.criterion),
  verdict: required.text(({ part }) => part.verdict),
  score: optional.real(({ part }) => (isJudged(part) ? part.score : undefined)),
  explanation: optional.shown(({ part }) => {
    if (part.verdict === 'errored') return part.error.message;
    return isJudged(part) ? part.explanation : part.reason;
  }),
  code: optional.text(({ part }) => (part.verdict === 'errored' ? part.error.code : undefined)),
  gaps: required.whole(({ part }) => (isJudged(part) ? part.gaps.length : 0)),
});

export const gaps = table<PartOf<Gap & { readonly fixed: boolean }>>(
  'gaps',
  'run_id, iteration, n',
  {
    ...inReview,
    id: required.text(({ part }) => part.id),
    severity: required.text(({ part }) => part.severity),
    category: required.text(({ part }) => part.category),
    description: required.shown(({ part }) => part.description),
    suggested_fix: required.shown(({ part }) => part.suggestedFix),
    effort: required.text(({ part }) => part.estimatedEffort),
    auto_fixable: required.flag(({ part }) => part.autoFixable),
    requirement: optional.shown(({ part }) => part.affectedRequirement),
    criterion: optional.text(({ part }) => part.criterionId),
    raised_by: optional.text(({ part }) => part.raisedBy),
    file: optional.text(({ part }) => part.location?.file ?? part.affectedArtifact),
    line: optional.whole(({ part }) => part.location?.line),
    end_line: optional.whole(({ part }) => part.location?.endLine),
    evidence: optional.shown(({ part }) => part.evidence),
    lifecycle: optional.text(({ part }) => part.lifecycle),
    standing: optional.text(({ part }) => part.standing),
    fixed: required.flag(({ part }) => part.fixed),
  },
);

export interface ReviewRows {
  readonly review: TableRow;
  readonly assessments: readonly TableRow[];
  readonly gaps: readonly TableRow[];
}

export function reviewRows(id: string, review: Review): ReviewRows {
  const key = { runId: id, iteration: review.iteration };
  const found = [
    ...review.gaps.map((gap) => ({ ...gap, fixed: false })),
    ...review.fixed.map((gap) => ({ ...gap, fixed: true })),
  ];
  return {
    review: reviews.row({ runId: id, review }),
    assessments: review.assessments.map((part, n) => assessments.row({ ...key, n, part })),
    gaps: found.map((part, n) => gaps.row({ ...key, n, part })),
  };
}

/** They are in addition to `runs` and `records`. */
export const tablesOfRuns: readonly Table<never>[] = [
  ...[steps, questions, answers],
  ...[reviews, assessments, gaps],
];
