import type { JournalRecord } from '../../ports/store.js';
import { plainText } from '../plain-text.js';
import { checksum, corrupt } from '../stored-records.js';
import type { Tables } from './database.js';
import type { SqliteRow } from './driver.js';
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

/** Returns the rows of a run for `recordsOf`. */
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
