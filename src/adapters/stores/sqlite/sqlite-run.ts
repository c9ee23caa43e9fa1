import { isReviewError } from '../../../core/errors.js';
import type { Review } from '../../../core/review.js';
import {
  recordRow,
  recordRows,
  replacingReview,
  reviewRows,
  runColumns,
} from '../record-columns.js';
import type { WritableRun } from '../run-journal.js';
import { corrupt, recordText, writeFailed } from '../stored-records.js';
import { isBusy } from './connection.js';
import { type Database, insertRow, replaceRow, type Tables } from './database.js';
import type { SqliteRow } from './driver.js';
import type { RunWriter } from './run-writer.js';

export function sqliteRun(runId: string, database: Database, writer: RunWriter): WritableRun {
  // a transaction may contain later records too
  let broken: unknown;
  const write = async (insert: (tables: Tables) => void): Promise<void> => {
    try {
      await database.write((tables) => {
        if (broken !== undefined) throw broken;
        try {
          writer.check(tables);
          insert(tables);
        } catch (error) {
          if (!isBusy(error)) broken = error;
          throw error;
        }
      });
    } catch (error) {
      throw isReviewError(error) ? error : writeFailed(database.name, error);
    }
  };
  return {
    place: `run ${runId} in ${database.name}`,
    bodyOf: (record) => recordText(record, runId),
    put: (entry) =>
      write((tables) => insertRecord(tables, { ...entry, runId, epoch: writer.epoch })),
    review: (review) => write((tables) => insertReview(tables, runId, review)),
    onLost: (callback) => writer.onLost(() => callback(writer.fenced())),
    release: () => writer.release(),
  };
}

/** Replaces those of the same iteration. */
function insertReview(tables: Tables, runId: string, review: Review): void {
  const { iteration } = review;
  for (const table of ['assessments', 'gaps'])
    tables.run(`DELETE FROM ${table} WHERE run_id = ? AND iteration = ?`, runId, iteration);
  const { review: row, assessments, gaps } = reviewRows(runId, review);
  insertRow(tables, 'reviews AS old', row, replacingReview('max'));
  for (const assessment of assessments) insertRow(tables, 'assessments', assessment);
  for (const gap of gaps) insertRow(tables, 'gaps', gap);
}

type Placed = Parameters<typeof recordRows.row>[0];

function insertRecord(tables: Tables, placed: Placed): void {
  const { runId, n, record } = placed;
  insertRow(tables, recordRows.name, recordRows.row(placed));
  const run = { run_id: runId, records: n + 1, ...runColumns(record) };
  const changes = Object.keys(run).map((name) => `${name} = excluded.${name}`);
  insertRow(tables, 'runs', run, `ON CONFLICT (run_id) DO UPDATE SET ${changes.join(', ')}`);
  const beside = recordRow(placed);
  if (beside !== undefined) replaceRow(tables, beside.table, beside.row);
}

/** The records of a run; refused if some are gone. */
export function rowsOf(tables: Tables, runId: string, database: string): readonly SqliteRow[] {
  const [run] = tables.all('SELECT records FROM runs WHERE run_id = ?', runId);
  const rows = tables.all('SELECT n, body, sum FROM records WHERE run_id = ? ORDER BY n', runId);
  if (run !== undefined && run['records'] !== rows.length)
    throw corrupt(
      `${database}, run ${runId}`,
      `it has ${rows.length} of ${run['records']} records`,
    );
  return rows;
}
