import { hash } from 'node:crypto';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { portErrors } from '../../ports/errors.js';
import { type JournalRecord, JournalRecordSchema } from '../../ports/store.js';
import { firstBytes } from '../../text/truncate.js';
import { newerThanKnown } from '../newer-record.js';
import type { SqliteRow, Tables } from './database.js';
import { plainText } from './driver.js';
import { insertRow } from './insert-row.js';
import { updateRecordTables } from './record-tables.js';

/** A record and its position. */
interface PlacedRecord {
  readonly runId: string;
  /** Number of records before this one. */
  readonly n: number;
  readonly epoch: number;
  readonly record: JournalRecord;
  /** The JSON text of the record. */
  readonly body: string;
}

/** Inserts a record, and updates the tables that are derived from records. */
export function insertRecord(tables: Tables, placed: PlacedRecord): void {
  const { runId, n, epoch, record, body } = placed;
  insertRow(tables, 'records', {
    run_id: runId,
    n,
    epoch,
    type: record.type,
    body,
    sum: checksum(runId, n, body),
    at: record.at,
  });
  const status = record.type === 'end' ? record.status : 'running';
  tables.run(
    `INSERT INTO runs (run_id, status, changed_at, records) VALUES (?, ?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET status = excluded.status,
       changed_at = excluded.changed_at, records = excluded.records, code = NULL, ended_at = NULL`,
    runId,
    plainText(status),
    record.at,
    n + 1,
  );
  updateRecordTables(tables, { runId, n, record });
}

const RowSchema = z.object({ n: z.number(), body: z.string(), sum: z.string() });

/**
 * Returns the records in the rows of a run after checking them, oldest first.
 *
 * @throws ReviewLoopError `journal_corrupt`, `journal_newer`
 */
export function recordsOf(
  rows: readonly SqliteRow[],
  runId: string,
  database: string,
): readonly JournalRecord[] {
  return rows.map((given, due) => {
    const { n, record } = checkedRow(given, runId, database);
    if (n === due) return record;
    throw corrupt(`${database}, run ${runId}, record ${due}`, `found record ${n} in its place`);
  });
}

/**
 * Returns the record in a row after checking it.
 *
 * @throws ReviewLoopError `journal_corrupt`, `journal_newer`
 */
export function checkedRow(
  given: SqliteRow,
  runId: string,
  database: string,
): { readonly n: number; readonly record: JournalRecord } {
  const place = `${database}, run ${runId}, record ${given['n']}`;
  const row = RowSchema.safeParse(given).data;
  if (row === undefined) throw corrupt(place, 'the row is malformed');
  if (row.sum !== checksum(runId, row.n, row.body))
    throw corrupt(place, 'its checksum does not match its content');
  return { n: row.n, record: recordIn(row.body, place) };
}

/** Returns the rows of a run for {@link recordsOf}. */
export function recordRows(tables: Tables, runId: string): readonly SqliteRow[] {
  return tables.all('SELECT n, body, sum FROM records WHERE run_id = ? ORDER BY n', runId);
}

/** @throws ReviewLoopError `journal_corrupt` if a run has fewer or more records than it should. */
export function checkCount(tables: Tables, runId: string, database: string): void {
  const [row] = tables.all(
    `SELECT records, (SELECT count(*) FROM records WHERE run_id = runs.run_id) AS found
     FROM runs WHERE run_id = ?`,
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
      `${place}: it contains ${newer}, which this version does not know`,
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
