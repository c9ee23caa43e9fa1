import type { JournalRecord } from '../../ports/store.js';
import type { SqliteRow, Tables } from './database.js';
import { plainText } from './driver.js';
import { insertRow, replaceRow } from './insert-row.js';

/** A record of one type, with its run and the number of records before it. */
interface PlacedRecord<Type extends JournalRecord['type'] = JournalRecord['type']> {
  readonly runId: string;
  readonly n: number;
  readonly record: Extract<JournalRecord, { type: Type }>;
}

/** Updates the tables that are derived from a record. */
export function updateRecordTables(tables: Tables, { runId, n, record }: PlacedRecord): void {
  switch (record.type) {
    case 'run':
      startRun(tables, { runId, n, record });
      break;
    case 'step':
    case 'attempt':
      insertRow(tables, 'steps', stepColumns({ runId, n, record }));
      break;
    case 'request':
      replaceRow(tables, 'questions', questionColumns({ runId, n, record }));
      break;
    case 'answer':
      insertRow(tables, 'answers', answerColumns({ runId, n, record }));
      break;
    case 'end':
      endRun(tables, { runId, n, record });
  }
}

function startRun(tables: Tables, { runId, record }: PlacedRecord<'run'>): void {
  tables.run(
    'UPDATE runs SET pipeline = ?, task_digest = ?, task = ?, started_at = ? WHERE run_id = ?',
    plainText(record.pipeline),
    plainText(record.taskDigest),
    JSON.stringify(record.task ?? null),
    record.at,
    runId,
  );
}

function endRun(tables: Tables, { runId, record }: PlacedRecord<'end'>): void {
  tables.run(
    'UPDATE runs SET code = ?, ended_at = ? WHERE run_id = ?',
    plainText(record.code),
    record.at,
    runId,
  );
}

function questionColumns({ runId, record }: PlacedRecord<'request'>): SqliteRow {
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

function answerColumns({ runId, n, record }: PlacedRecord<'answer'>): SqliteRow {
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

function stepColumns({ runId, n, record }: PlacedRecord<'step' | 'attempt'>): SqliteRow {
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
