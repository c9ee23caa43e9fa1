import type { JournalRecord } from '../ports/store.js';
import { plainText, type TableRow } from './plain-text.js';

/** A record of one type, with its run and the number of records before it. */
export interface PlacedRecord<Type extends JournalRecord['type'] = JournalRecord['type']> {
  readonly runId: string;
  readonly n: number;
  readonly record: Extract<JournalRecord, { type: Type }>;
}

/** A row that people query beside the records, and its table. */
export interface RecordRow {
  readonly table: 'steps' | 'questions' | 'answers';
  /** What names it among the rows of its run. */
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

/** Returns the row of a step, or of a failed attempt at one. */
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
