import { hash } from 'node:crypto';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { portErrors } from '../../ports/errors.js';
import { type JournalRecord, JournalRecordSchema } from '../../ports/store.js';
import { firstBytes } from '../../text/first-bytes.js';
import { newerThanKnown } from '../newer-record.js';
import type { SqliteRow, Tables } from './database.js';
import { plainText } from './plain-text.js';

/** A record with its place. */
interface PlacedRecord {
  readonly runId: string;
  /** How many records come before it. */
  readonly n: number;
  readonly epoch: number;
  readonly record: JournalRecord;
  /** The JSON of the record. */
  readonly body: string;
}

/** Adds a record, and what it says to the tables that are made of records. */
export function insertRecord(tables: Tables, placed: PlacedRecord): void {
  const { runId, n, epoch, record, body } = placed;
  tables.run(
    'INSERT INTO records (run_id, n, epoch, type, body, sum, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[runId, n, epoch, record.type, body, checksum(runId, n, body), record.at],
  );
  const status = record.type === 'end' ? record.status : 'running';
  tables.run(
    `INSERT INTO runs (run_id, status, changed_at, records) VALUES (?, ?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, changed_at = excluded.changed_at, records = excluded.records, code = NULL, ended_at = NULL`,
    ...[runId, plainText(status), record.at, n + 1],
  );
  tell(tables, placed);
}

function tell(tables: Tables, { runId, n, record }: PlacedRecord): void {
  switch (record.type) {
    case 'run':
      tables.run(
        'UPDATE runs SET pipeline = ?, task_digest = ?, task = ?, started_at = ? WHERE run_id = ?',
        ...[
          plainText(record.pipeline),
          plainText(record.taskDigest),
          JSON.stringify(record.task ?? null),
          record.at,
          runId,
        ],
      );
      return;
    case 'step':
    case 'attempt':
      insertStep(tables, { runId, n, record });
      return;
    case 'request': {
      const { id, digest, question, allowed, approved, gaps, expiresAt } = record.request;
      tables.run(
        'INSERT OR REPLACE INTO questions (run_id, id, version, question, allowed, approved, gaps, asked_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[
          runId,
          plainText(id),
          plainText(digest),
          plainText(question),
          allowed.join(' '),
          approved === undefined ? null : Number(approved),
          gaps.length,
          record.at,
          plainText(expiresAt),
        ],
      );
      return;
    }
    case 'answer': {
      const { kind, by } = record.answer;
      const reason = record.answer.kind === 'revise' ? record.answer.note : record.answer.reason;
      tables.run(
        'INSERT INTO answers (run_id, n, id, version, kind, who, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        ...[
          runId,
          n,
          plainText(record.id),
          plainText(record.digest),
          kind,
          plainText(by),
          plainText(reason),
          record.at,
        ],
      );
      return;
    }
    case 'end':
      tables.run(
        'UPDATE runs SET code = ?, ended_at = ? WHERE run_id = ?',
        plainText(record.code),
        record.at,
        runId,
      );
      return;
  }
}

function insertStep(
  tables: Tables,
  {
    runId,
    n,
    record,
  }: {
    readonly runId: string;
    readonly n: number;
    readonly record: Extract<JournalRecord, { type: 'step' | 'attempt' }>;
  },
): void {
  const [, iteration, reviewer] = /^iter:(\d+)\/(?:review:([^/]+))?/.exec(record.name) ?? [];
  const usage = record.type === 'step' ? (record.usage ?? {}) : {};
  const failure = record.type === 'attempt' ? record : undefined;
  const workspace = record.type === 'step' ? record.workspace : undefined;
  const about = [
    plainText(record.name),
    iteration === undefined ? null : Number(iteration),
    plainText(reviewer),
    Number(failure !== undefined),
    plainText(failure?.code),
    plainText(failure?.message),
  ];
  const spent = [
    usage.inputTokens,
    usage.outputTokens,
    usage.cachedInputTokens,
    usage.totalTokens,
    usage.costUsd,
  ].map((value) => value ?? null);
  tables.run(
    `INSERT INTO steps (run_id, n, name, iteration, reviewer, failed, code, message, input_tokens, output_tokens, cached_input_tokens, total_tokens, cost_usd, workspace, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[runId, n, ...about, ...spent, plainText(workspace), record.at],
  );
}

const RowSchema = z.object({ n: z.number(), body: z.string(), sum: z.string() });

/**
 * The records of a run, the oldest first.
 *
 * @throws ReviewLoopError `journal_corrupt`, `journal_newer`
 */
export function recordsOf(
  rows: readonly SqliteRow[],
  runId: string,
  database: string,
): readonly JournalRecord[] {
  const place = (n: number): string => `${database}, run ${runId}, record ${n}`;
  return rows.map((given, due) => {
    const row = RowSchema.safeParse(given).data;
    if (row === undefined) throw corrupt(place(due), 'it is no row of a journal');
    if (row.n !== due) throw corrupt(place(due), `record ${row.n} stands in its place`);
    if (row.sum !== checksum(runId, row.n, row.body))
      throw corrupt(place(due), 'its checksum does not fit its content');
    return recordIn(row.body, place(due));
  });
}

/** The rows that {@link recordsOf} reads. */
export function recordRows(tables: Tables, runId: string): readonly SqliteRow[] {
  return tables.all('SELECT n, body, sum FROM records WHERE run_id = ? ORDER BY n', runId);
}

/** Whether the number of records that a run is said to have is the number that it has. */
export function checkCount(tables: Tables, runId: string, database: string): void {
  const [row] = tables.all(
    'SELECT records, (SELECT count(*) FROM records WHERE run_id = runs.run_id) AS found FROM runs WHERE run_id = ?',
    runId,
  );
  if (row !== undefined && row['records'] !== row['found'])
    throw corrupt(
      `${database}, run ${runId}`,
      `it has ${row['found']} of ${row['records']} records`,
    );
}

function recordIn(body: string, place: string): JournalRecord {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw corrupt(place, messageOf(error), error);
  }
  const parsed = JournalRecordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const newer = newerThanKnown(value);
  if (newer !== undefined)
    throw new ReviewLoopError(
      portErrors.journal_newer,
      `${place}: it holds ${newer}, which this version does not know`,
      { value: place },
    );
  throw corrupt(
    place,
    `it is not valid: ${firstBytes(messageOf(parsed.error), 1000)}`,
    parsed.error,
  );
}

function checksum(runId: string, n: number, body: string): string {
  return hash('sha256', `${runId}\n${n}\n${body}`).slice(0, 16);
}

function corrupt(place: string, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(portErrors.journal_corrupt, `${place}: ${why}`, {
    cause,
    value: place,
  });
}
