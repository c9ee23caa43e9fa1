import type { ReviewLoopError } from '../../../core/errors.js';
import type { Review } from '../../../core/review.js';
import type { Journal, JournalRecord } from '../../../ports/store.js';
import { assessments, gaps, reviewRows, reviews } from '../record-columns.js';
import { replacing, type Table } from '../rows/columns.js';
import { journalClosed, recordText } from '../stored-records.js';
import { type AppendLane, writeFailed } from './append-lane.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { RunHold, WorkerLease } from './worker-lease.js';

export interface PostgresJournalOptions {
  readonly database: PostgresDatabase;
  readonly lane: AppendLane;
  readonly lease: WorkerLease;
  readonly hold: RunHold;
  readonly records: readonly JournalRecord[];
}

export class PostgresJournal implements Journal {
  readonly records: readonly JournalRecord[];
  readonly #options: PostgresJournalOptions;
  #index: number;
  /** Whether the last record was an end, which gives the run back. */
  #isOver = false;
  /** The first failure. Nothing is written after it, so that the records have no gap. */
  #broken: unknown;
  #closed: Promise<void> | undefined;
  /** The last write; all earlier ones end before it. */
  #out: Promise<unknown> = Promise.resolve();

  constructor(options: PostgresJournalOptions) {
    this.#options = options;
    this.records = options.records;
    this.#index = options.records.length;
  }

  append(record: JournalRecord): Promise<void> {
    const { hold, lane } = this.#options;
    return this.#write(() => {
      const body = recordText(record, hold.runId);
      const n = this.#index;
      this.#index += 1;
      this.#isOver = record.type === 'end';
      return lane.put({ hold, entry: { record, n, body } });
    });
  }

  review(review: Review): Promise<void> {
    return this.#write(() => this.#writeReview(review));
  }

  onLost(callback: (error: ReviewLoopError) => void): void {
    this.#options.hold.onLost(callback);
  }

  held(): Promise<void> | undefined {
    return this.#options.lease.held(this.#options.hold);
  }

  close(): Promise<void> {
    this.#closed ??= this.#out.then(() => this.#release());
    return this.#closed;
  }

  async #write(work: () => Promise<void>): Promise<void> {
    const { hold, database } = this.#options;
    if (this.#closed !== undefined) throw journalClosed(`run ${hold.runId} in ${database.name}`);
    this.#broken ??= hold.lost;
    if (this.#broken !== undefined) throw this.#broken;
    try {
      const written = work();
      this.#out = Promise.allSettled([this.#out, written]);
      await written;
    } catch (error) {
      this.#broken ??= error;
      throw error;
    }
  }

  async #writeReview(review: Review): Promise<void> {
    const { database, hold } = this.#options;
    const rows = reviewRows(hold.runId, review);
    const lists = [[rows.review], rows.assessments, rows.gaps].map((list) => JSON.stringify(list));
    const counts = [rows.assessments.length, rows.gaps.length];
    const values = [hold.runId, hold.token, review.iteration, ...lists, ...counts];
    const found = await database
      .ask(reviewStatement(database.schema), values)
      .catch((error: unknown) => {
        throw writeFailed(database.name, error);
      });
    if (found.length === 0) throw hold.fence();
  }

  /** Lets others open the run. While the database does not answer, the lease keeps trying. */
  async #release(): Promise<void> {
    const { database, lane, lease, hold } = this.#options;
    try {
      if (this.#index === 0) {
        const empty = `DELETE FROM ${database.schema}.runs
          WHERE run_id = $1 AND token = $2 AND records = 0`;
        await database.ask(empty, [hold.runId, hold.token]);
      } else if (this.#broken === undefined && hold.lost === undefined) {
        if (!this.#isOver) await lane.put({ hold, entry: undefined });
      } else await lease.release(hold);
      lease.forget(hold);
    } catch {
      await lease.release(hold).catch(() => {});
    }
  }
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
  // a replay asks nobody: the review took as long as it did before
  const duration_ms = `greatest(excluded.duration_ms,
      CASE WHEN old.version = excluded.version THEN old.duration_ms ELSE 0 END)`;
  return `
WITH held AS MATERIALIZED (
  SELECT run_id, set_config('synchronous_commit', 'off', true) FROM ${s}.runs
  WHERE run_id = $1 AND token = $2 FOR UPDATE
), reviewed AS (
  INSERT INTO ${s}.reviews AS old
  SELECT t.* FROM json_populate_recordset(NULL::${s}.reviews, $4::text::json) t
  WHERE EXISTS (SELECT FROM held)
  ${replacing(reviews, { duration_ms })}
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
