import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import type { Review } from '../../../core/review.js';
import type { Journal, JournalRecord } from '../../../ports/store.js';
import { recordRow, recordRows, reviewRows, runColumns } from '../record-columns.js';
import { plainText } from '../rows/table-database.js';
import { corrupt, journalClosed, recordText } from '../stored-records.js';
import { isBusy } from './connection.js';
import { type Database, insertRow, replaceRow, type Tables } from './database.js';
import type { SqliteRow } from './driver.js';
import type { RunWriter } from './run-writer.js';

export interface SqliteJournalOptions {
  readonly runId: string;
  readonly database: Database;
  readonly writer: RunWriter;
  readonly records: readonly JournalRecord[];
}

export class SqliteJournal implements Journal {
  readonly records: readonly JournalRecord[];
  readonly #options: SqliteJournalOptions;
  #index: number;
  /** The first failure. Nothing is written after it, so that the records have no gap. */
  #broken: unknown;
  #closed: Promise<void> | undefined;
  #out: Promise<unknown> = Promise.resolve();

  constructor(options: SqliteJournalOptions) {
    this.#options = options;
    this.records = options.records;
    this.#index = options.records.length;
  }

  append(record: JournalRecord): Promise<void> {
    const { runId, writer } = this.#options;
    return this.#write(() => {
      const body = recordText(record, runId);
      const n = this.#index;
      this.#index += 1;
      return (tables) => insertRecord(tables, { runId, n, epoch: writer.epoch, record, body });
    });
  }

  review(review: Review): Promise<void> {
    return this.#write(() => (tables) => insertReview(tables, this.#options.runId, review));
  }

  onLost(callback: (error: ReviewLoopError) => void): void {
    const { writer } = this.#options;
    writer.onLost(() => {
      this.#broken ??= writer.fenced();
      callback(writer.fenced());
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#out.then(() => this.#options.writer.release());
    return this.#closed;
  }

  async #write(prepare: () => (tables: Tables) => void): Promise<void> {
    const { database, runId, writer } = this.#options;
    if (this.#closed !== undefined) throw journalClosed(`run ${runId} in ${database.name}`);
    if (this.#broken !== undefined) throw this.#broken;
    const insert = prepare();
    const written = database.write((tables) => {
      if (this.#broken !== undefined) throw this.#broken;
      try {
        writer.check(tables);
        insert(tables);
      } catch (error) {
        if (!isBusy(error)) this.#broken ??= error;
        throw error;
      }
    });
    this.#out = written.catch(() => {});
    try {
      await written;
    } catch (error) {
      if (!isReviewError(this.#broken))
        this.#broken = isReviewError(error)
          ? error
          : new ReviewLoopError(
              'journal_write_failed',
              `cannot write ${database.name}: ${messageOf(error)}`,
              { cause: error },
            );
      throw this.#broken;
    }
  }
}

/** Replaces those of the same iteration. */
function insertReview(tables: Tables, runId: string, review: Review): void {
  const { iteration } = review;
  for (const table of ['assessments', 'gaps'])
    tables.run(`DELETE FROM ${table} WHERE run_id = ? AND iteration = ?`, runId, iteration);
  const { review: row, assessments, gaps } = reviewRows(runId, review);
  const duration_ms = Math.max(review.durationMs, earlierDuration(tables, runId, review));
  replaceRow(tables, 'reviews', { ...row, duration_ms });
  for (const assessment of assessments) insertRow(tables, 'assessments', assessment);
  for (const gap of gaps) insertRow(tables, 'gaps', gap);
}

/** It is the time when its judges were asked: a replay asks nobody. */
function earlierDuration(tables: Tables, runId: string, { iteration, version }: Review): number {
  const [row] = tables.all(
    'SELECT duration_ms FROM reviews WHERE run_id = ? AND iteration = ? AND version = ?',
    runId,
    iteration,
    plainText(version),
  );
  return Number(row?.['duration_ms'] ?? 0);
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

export function rowsOf(tables: Tables, runId: string): readonly SqliteRow[] {
  return tables.all('SELECT n, body, sum FROM records WHERE run_id = ? ORDER BY n', runId);
}

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
