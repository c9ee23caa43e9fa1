import { ReviewLoopError } from '../../../core/errors.js';
import type { Review } from '../../../core/review.js';
import { engineErrors } from '../../../engine/errors.js';
import { checkRunId, isRunId } from '../../../ports/run-id.js';
import type { Journal, JournalRecord } from '../../../ports/store.js';
import { assessments, gaps, replacingReview, reviewRows } from '../record-columns.js';
import { replacing, type Table } from '../rows/columns.js';
import { runJournal, type WritableRun } from '../run-journal.js';
import { corrupt, recordsOf, recordText, runBusy } from '../stored-records.js';
import { type AppendLane, asWriteFailed } from './append-lane.js';
import type { PostgresRow } from './postgres-client.js';
import type { PostgresDatabase } from './postgres-database.js';
import { RunHold, type WorkerLease } from './worker-lease.js';

export interface RunTables {
  readonly database: PostgresDatabase;
  readonly lane: AppendLane;
  readonly lease: WorkerLease;
  readonly leaseMs: number;
}

/** @param isKnown - Whether the run must have records. */
export async function openRun(tables: RunTables, runId: string, isKnown = false): Promise<Journal> {
  checkRunId(runId);
  const { database, lease } = tables;
  // a run that a process without a lease holds would be free for all
  await lease.enlist();
  const hold = new RunHold(runId, database.name);
  hold.gaps = lease.gaps;
  const rows = await take(tables, hold, isKnown);
  try {
    const records = recordsOf(await allRows(database, hold, rows), runId, database.name);
    hold.written = records.length;
    for (const record of records) hold.note(record);
    lease.watch(hold);
    return runJournal(postgresRun({ ...tables, hold }), records);
  } catch (error) {
    await lease.release(hold).catch(() => {});
    throw error;
  }
}

async function take(
  { database, leaseMs }: RunTables,
  hold: RunHold,
  isKnown: boolean,
): Promise<readonly PostgresRow[]> {
  const { schema: s, worker } = database;
  const mine = `epoch = r.epoch + 1, holder = $2, token = $3, touched_at = clock_timestamp()`;
  const isMine = `(r.token = $3 OR ${isFree(s, '$4')})`;
  const change = isKnown
    ? `UPDATE ${s}.runs AS r SET ${mine} WHERE r.run_id = $1 AND r.records > 0 AND ${isMine}`
    : `INSERT INTO ${s}.runs AS r (run_id, holder, token) VALUES ($1, $2, $3)
       ON CONFLICT (run_id) DO UPDATE SET ${mine} WHERE ${isMine}`;
  const rows = await database.ask(
    `WITH taken AS (${change} RETURNING r.epoch, r.records)
     SELECT taken.epoch, taken.records, c.n, c.body, c.sum
     FROM taken LEFT JOIN ${s}.records c ON c.run_id = $1 ORDER BY c.n`,
    [hold.runId, worker, hold.token, leaseMs],
  );
  const [row] = rows;
  if (row !== undefined) {
    hold.epoch = Number(row['epoch']);
    return rows;
  }
  if (isKnown && (await readRun(database, hold.runId)) === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, `the store has no run ${hold.runId}`);
  throw runBusy(hold.runId, database.name);
}

/**
 * After a wait for the lock, the statement that took the run saw fewer than there are; another one
 * reads them again.
 */
async function allRows(
  database: PostgresDatabase,
  { runId, token }: RunHold,
  rows: readonly PostgresRow[],
): Promise<readonly PostgresRow[]> {
  const found = rows.filter(({ n }) => n !== null);
  if (found.length === Number(rows[0]?.['records'])) return found;
  const counted = await countedRows(database, runId);
  // a process that was frozen between the two statements may have lost the run meanwhile
  if (counted === undefined || counted.token !== token) throw runBusy(runId, database.name);
  return counted.rows;
}

/**
 * Returns the condition that nobody holds the run `r`. A holder that is not known may have
 * enlisted after the statement began; it counts as gone after the time of a lease.
 */
export function isFree(s: string, leaseMs: string): string {
  return `(r.holder IS NULL
    OR EXISTS (
      SELECT FROM ${s}.workers w WHERE w.id = r.holder AND w.lease_until < clock_timestamp()
    )
    OR (
      NOT EXISTS (SELECT FROM ${s}.workers w WHERE w.id = r.holder)
      AND r.touched_at < clock_timestamp() - ${leaseMs}::float8 * interval '1 ms'
    ))`;
}

export interface CountedRows {
  readonly token: unknown;
  readonly rows: readonly PostgresRow[];
}

async function countedRows(
  database: PostgresDatabase,
  runId: string,
): Promise<CountedRows | undefined> {
  const { schema: s, name } = database;
  const found = await database.ask(
    `SELECT r.token, r.records, c.n, c.body, c.sum FROM ${s}.runs r
     LEFT JOIN ${s}.records c ON c.run_id = r.run_id WHERE r.run_id = $1 ORDER BY c.n`,
    [runId],
  );
  const [first] = found;
  if (first === undefined) return undefined;
  const rows = found.filter(({ n }) => n !== null);
  const count = Number(first['records']);
  if (rows.length !== count)
    throw corrupt(`${name}, run ${runId}`, `records found: ${rows.length}, written: ${count}`);
  return { token: first['token'], rows };
}

export async function readRun(
  database: PostgresDatabase,
  runId: string,
): Promise<readonly JournalRecord[] | undefined> {
  if (!isRunId(runId)) return undefined;
  const found = await countedRows(database, runId);
  if (found === undefined || found.rows.length === 0) return undefined;
  return recordsOf(found.rows, runId, database.name);
}

interface PostgresRunOptions {
  readonly database: PostgresDatabase;
  readonly lane: AppendLane;
  readonly lease: WorkerLease;
  readonly hold: RunHold;
}

function postgresRun({ database, lane, lease, hold }: PostgresRunOptions): WritableRun {
  const { runId, token } = hold;
  // the last record was an end, which gives the run back
  let isOver = false;
  const release = async (records: number, isBroken: boolean): Promise<void> => {
    if (records === 0) {
      const empty = `DELETE FROM ${database.schema}.runs
        WHERE run_id = $1 AND token = $2 AND records = 0`;
      await database.ask(empty, [runId, token]);
    } else if (isBroken || hold.lost !== undefined) await lease.release(hold);
    else if (!isOver) await lane.put({ hold, entry: undefined });
    lease.forget(hold);
  };
  return {
    place: `run ${runId} in ${database.name}`,
    bodyOf: (record) => recordText(record, runId),
    put: (entry) => {
      isOver = entry.record.type === 'end';
      return lane.put({ hold, entry });
    },
    review: (review) => writeReview(database, hold, review),
    onLost: (callback) => hold.onLost(callback),
    held: () => lease.held(hold),
    // while the database does not answer, the lease keeps trying
    release: (records, isBroken) =>
      release(records, isBroken).catch(() => lease.release(hold).catch(() => {})),
  };
}

async function writeReview(
  database: PostgresDatabase,
  hold: RunHold,
  review: Review,
): Promise<void> {
  const rows = reviewRows(hold.runId, review);
  const lists = [[rows.review], rows.assessments, rows.gaps].map((list) => JSON.stringify(list));
  const counts = [rows.assessments.length, rows.gaps.length];
  const values = [hold.runId, hold.token, review.iteration, ...lists, ...counts];
  try {
    const found = await database.ask(reviewStatement(database.schema), values);
    if (found.length > 0) return;
  } catch (error) {
    throw asWriteFailed(database.name, error);
  }
  throw hold.fence();
}

/**
 * Writes one review and replaces the one of the same iteration. Returns a row if the writer still
 * holds the run. Its values are the run, the token, the iteration, the rows of the three tables as
 * JSON, and how many the last two have.
 *
 * The server does not wait for its disk: the next record makes the rows durable, and a run that is
 * continued after a crash writes them again.
 *
 * @param s - The quoted name of the schema.
 */
function reviewStatement(s: string): string {
  return `
WITH held AS MATERIALIZED (
  SELECT run_id, set_config('synchronous_commit', 'off', true) FROM ${s}.runs
  WHERE run_id = $1 AND token = $2 FOR UPDATE
), reviewed AS (
  INSERT INTO ${s}.reviews AS old
  SELECT t.* FROM json_populate_recordset(NULL::${s}.reviews, $4::text::json) t
  WHERE EXISTS (SELECT FROM held)
  ${replacingReview('greatest')}
), ${replaced(s, assessments, 5)},
${replaced(s, gaps, 6)}
SELECT run_id FROM held`;
}

/** Returns the parts that write the rows of a review and remove those that it has no longer. */
function replaced(s: string, table: Table<never>, value: number): string {
  const { name } = table;
  return `${name}_written AS (
  INSERT INTO ${s}.${name}
  SELECT t.* FROM json_populate_recordset(NULL::${s}.${name}, $${value}::text::json) t
  WHERE EXISTS (SELECT FROM held)
  ${replacing(table)}
), ${name}_removed AS (
  DELETE FROM ${s}.${name} WHERE run_id = $1 AND iteration = $3::int AND n >= $${value + 2}::int
    AND EXISTS (SELECT FROM held)
)`;
}
