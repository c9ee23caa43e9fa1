import type { Review } from '../../../core/review.js';
import { assessments, gaps, replacingReview, reviewRows } from '../record-columns.js';
import { replacing, type Table } from '../rows/columns.js';
import type { WritableRun } from '../run-journal.js';
import { recordText } from '../stored-records.js';
import { type AppendLane, asWriteFailed } from './append-lane.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { RunHold, WorkerLease } from './worker-lease.js';

export interface PostgresRunOptions {
  readonly database: PostgresDatabase;
  readonly lane: AppendLane;
  readonly lease: WorkerLease;
  readonly hold: RunHold;
}

export function postgresRun({ database, lane, lease, hold }: PostgresRunOptions): WritableRun {
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
