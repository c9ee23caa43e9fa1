import { resolve } from 'node:path';
import {
  type LessonOptions,
  type LessonSettings,
  lessonSettings,
  type ReadableLessonStore,
} from '../../../blocks/lessons/lesson-store.js';
import { isReviewError } from '../../../core/errors.js';
import {
  checkAge,
  checkPositive,
  checkTable,
  elsewhere,
  invalid,
  type OptionTable,
} from '../../../core/options.js';
import type { Review } from '../../../core/review.js';
import type { AttemptStore } from '../../../ports/attempt-store.js';
import { type AuditSink, nextRecord } from '../../../ports/audit-chain.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { type Logger, silentLogger } from '../../../ports/logger.js';
import { checkRunId, isRunId } from '../../../ports/run-id.js';
import { checkPageLimit } from '../../../ports/run-pages.js';
import type { Journal, OrphanPage, OrphanQuery, Store } from '../../../ports/store.js';
import type { VerdictStore } from '../../../ports/verdict-store.js';
import { auditSink } from '../audit-sink.js';
import type { AuditVerification, VerifyAuditOptions } from '../file/verify-audit.js';
import {
  recordRow,
  recordRows,
  replacingReview,
  reviewRows,
  runColumns,
  tablesOfRuns,
} from '../record-columns.js';
import { auditRows, markIn } from '../rows/audit-row.js';
import { listRuns, orphanPage, positionIn, waitingRuns } from '../rows/listed-runs.js';
import { checkValues, plainText } from '../rows/table-database.js';
import { tableStores } from '../rows/table-stores.js';
import { runJournal, type WritableRun } from '../run-journal.js';
import {
  checkPatience,
  leaseTable,
  type PruneOptions,
  type PruneVerdictsOptions,
  pruneTable,
} from '../store-options.js';
import { corrupt, recordsOf, recordText, writeFailed } from '../stored-records.js';
import { isBusy } from './connection.js';
import { Database, insertRow, readsOnly, replaceRow, type Tables } from './database.js';
import { isDriver, type SqliteDriver, type SqliteRow, type SqliteValue } from './driver.js';
import { holderOf, type Lease, RunWriter, stateOf, type WriterOptions } from './run-writer.js';

export interface SqliteStoreOptions {
  /** Interval between heartbeats of an open journal, in milliseconds. @default 2000 */
  readonly heartbeatMs?: number | undefined;
  /**
   * Lease timeout in milliseconds: after that long without a heartbeat, another process may take
   * over the run. It must be above `heartbeatMs`.
   * @default 10000
   */
  readonly patienceMs?: number | undefined;
  /** Longest wait of a transaction for other processes, in milliseconds. @default 30000 */
  readonly busyTimeoutMs?: number | undefined;
  /** Options of `lessons`. @default the defaults of `fileLessons` */
  readonly lessons?: LessonOptions | undefined;
  /** Receives a warning if lessons cannot be read. @default silent */
  readonly logger?: Logger | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/** A store of runs in a database, with the other stores in its tables. */
export interface SqliteStore extends Store {
  /** The verdict cache, for `verdicts` of a pipeline. */
  readonly verdicts: VerdictStore;
  /** Lessons, for `learn` of a pipeline. */
  readonly lessons: ReadableLessonStore;
  /** The audit log, for `audit` of a pipeline. */
  readonly audit: AuditSink;
  /** Attempts at tasks, for `attempts` of a `TaskReview`. */
  readonly attempts: AttemptStore;
  /** Verifies that the audit log is unchanged, and that it contains all records that runs know. */
  readonly verifyAudit: (options?: VerifyAuditOptions) => Promise<AuditVerification>;
  /** Removes old verdicts and returns their number. */
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
  /**
   * Returns the rows of an SQL query, which begins with SELECT, WITH, VALUES or EXPLAIN. A statement
   * that changes something is an error.
   *
   * @throws ReviewLoopError `invalid_options`, `store_busy`, `journal_corrupt`
   */
  readonly query: (sql: string, ...values: SqliteValue[]) => Promise<readonly SqliteRow[]>;
  /**
   * Removes ended runs and returns their ids. Rows in `audit`, `attempts`, `lessons` and `verdicts`
   * stay.
   */
  readonly prune: (options: PruneOptions) => Promise<readonly string[]>;
  /** Closes the file. The next use opens it again. A connection of the caller stays open. */
  readonly close: () => Promise<void>;
}

const suspended = { where: "status = 'suspended'", at: 'changed_at' };

type Settings = WriterOptions & { readonly lessons: LessonSettings; readonly logger: Logger };

/**
 * Creates a store of runs in a SQLite database, for any number of processes. It also contains
 * reviews, gaps, answers, verdicts, lessons, the audit log and attempts at tasks. You can query the
 * tables in SQL; docs/sql.md describes them.
 *
 * @param place - A file, created if it is missing; it needs `libsql`, `better-sqlite3` or
 *   node:sqlite. Or an open connection of one of these packages, which the caller closes.
 * @throws ReviewLoopError `invalid_options`; the first use rejects with `peer_missing`,
 *   `output_unwritable`, `journal_corrupt`, `journal_newer`, `store_foreign`, `store_busy`
 * @example
 * ```ts
 * const store = sqliteStore('.reviewloop/reviewloop.db');
 * const { verdicts, audit, lessons: learn } = store;
 * const pipeline = definePipeline({ ...options, store, verdicts, learn, audit });
 * const worst = await store.query(
 *   'SELECT criterion, count(*) AS times FROM gaps GROUP BY criterion ORDER BY times DESC',
 * );
 * ```
 */
export function sqliteStore(
  place: string | SqliteDriver,
  options: SqliteStoreOptions = {},
): SqliteStore {
  const settings = checked(place, options);
  const { database, lessons, logger } = settings;
  return {
    list: async (query = {}) => listRuns(database, query, 'rowid'),
    read: async (runId) => {
      if (!isRunId(runId)) return undefined;
      const rows = await database.read((tables) => rowsOf(tables, runId, database.name));
      return rows.length === 0 ? undefined : recordsOf(rows, runId, database.name);
    },
    open: (runId) => open(settings, runId),
    waiting: (asked) => waitingRuns(database, asked, suspended),
    orphans: async (asked) => orphanRows(settings, asked),
    ...tableStores(database, { settings: lessons, logger, audit: auditIn(database) }),
    query: (sql, ...values) => query(database, sql, values),
    prune: (asked) => pruneRows(database, asked, settings),
    close: () => database.close(),
  };
}

const table: OptionTable<SqliteStoreOptions> = {
  ...leaseTable,
  ...{ busyTimeoutMs: checkPositive, lessons: elsewhere() },
};

function checked(place: string | SqliteDriver, options: SqliteStoreOptions): Settings {
  const isFile =
    typeof place === 'string' &&
    place !== '' &&
    !place.startsWith(':') &&
    !place.includes('\u0000');
  if (!isFile && !isDriver(place))
    throw invalid(
      'place',
      'the path of a file, or an open connection with `exec`, `prepare` and `close`',
      place,
    );
  checkTable('sqliteStore', table, options);
  const {
    heartbeatMs = 2000,
    patienceMs = 10_000,
    busyTimeoutMs = 30_000,
    lessons = {},
    logger = silentLogger,
    clock = systemClock,
  } = options;
  checkPatience(patienceMs, heartbeatMs);
  const database = new Database({
    place: typeof place === 'string' ? resolve(place) : place,
    busyTimeoutMs,
    clock,
  });
  return {
    database,
    heartbeatMs,
    patienceMs,
    clock,
    lessons: lessonSettings('sqliteStore.lessons', lessons),
    logger,
  };
}

async function open(settings: Settings, runId: string): Promise<Journal> {
  checkRunId(runId);
  const { database } = settings;
  const { writer, value } = await RunWriter.take(settings, runId, (tables) =>
    rowsOf(tables, runId, database.name),
  );
  try {
    const records = recordsOf(value, runId, database.name);
    return runJournal(sqliteRun(runId, database, writer), records);
  } catch (error) {
    await writer.release();
    throw error;
  }
}

async function query(
  database: Database,
  sql: string,
  values: readonly SqliteValue[],
): Promise<readonly SqliteRow[]> {
  if (typeof sql !== 'string' || sql.trim() === '') throw invalid('sql', 'a statement', sql);
  if (!readsOnly(sql))
    throw invalid('sql', 'a statement that begins with SELECT, WITH, VALUES or EXPLAIN', sql);
  checkValues(values);
  // some drivers crash the process on a single null
  if (values.length === 1 && values[0] === null) throw invalid('values', 'not a single null', null);
  return database.query(sql, values);
}

function auditIn(database: Database): AuditSink {
  const log = `the audit log in ${database.name}`;
  return auditSink(log, (entry) =>
    database.write((tables) => {
      const [row] = tables.all('SELECT line FROM audit ORDER BY seq DESC LIMIT 1');
      const at = new Date(database.clock.now()).toISOString();
      const record = nextRecord(entry, { last: markIn(row, log), at });
      const { seq, hash, runId } = record;
      insertRow(tables, 'audit', auditRows.row(record));
      if (runId !== undefined)
        tables.run(
          'UPDATE runs SET audit_seq = ?, audit_hash = ? WHERE run_id = ?',
          seq,
          hash,
          plainText(runId),
        );
      return { seq, hash };
    }),
  );
}

function sqliteRun(runId: string, database: Database, writer: RunWriter): WritableRun {
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
function rowsOf(tables: Tables, runId: string, database: string): readonly SqliteRow[] {
  const [run] = tables.all('SELECT records FROM runs WHERE run_id = ?', runId);
  const rows = tables.all('SELECT n, body, sum FROM records WHERE run_id = ? ORDER BY n', runId);
  if (run !== undefined && run['records'] !== rows.length)
    throw corrupt(
      `${database}, run ${runId}`,
      `it has ${rows.length} of ${run['records']} records`,
    );
  return rows;
}

const ofRuns = [...[recordRows, ...tablesOfRuns].map(({ name }) => name), 'runs', 'writers'];

async function pruneRows(
  database: Database,
  options: PruneOptions,
  settings: Lease,
): Promise<readonly string[]> {
  checkTable('prune', pruneTable, options);
  const { olderThanMs, keep = 0, clock = settings.clock } = options;
  return database.write((tables) => {
    const ended = tables.all(
      `SELECT run_id, ended_at FROM runs WHERE status NOT IN ('running', 'suspended')
       ORDER BY ended_at DESC, rowid DESC`,
    );
    const old = ended
      .slice(keep)
      .filter((row) => Number(row['ended_at']) <= clock.now() - olderThanMs);
    const free = old
      .map((row) => plainText(String(row['run_id'])))
      .filter((runId) => {
        const holder = holderOf(tables, runId);
        return (
          holder === undefined ||
          stateOf(holder, { clock, patienceMs: settings.patienceMs }) === 'free'
        );
      });
    for (const runId of free)
      for (const table of ofRuns) tables.run(`DELETE FROM ${table} WHERE run_id = ?`, runId);
    return free;
  });
}

async function orphanRows(
  { database, ...settings }: Omit<WriterOptions, 'heartbeatMs'>,
  { limit, after, olderThanMs = 60_000 }: OrphanQuery,
): Promise<OrphanPage> {
  checkPageLimit(limit);
  checkAge('olderThanMs', olderThanMs);
  return database.read((tables) => {
    const running = tables.all(
      `SELECT rowid AS cursor, run_id, pipeline FROM runs
       WHERE status = 'running' AND rowid > ? ORDER BY rowid`,
      positionIn(after),
    );
    const found: Readonly<Record<string, unknown>>[] = [];
    for (const row of running) {
      const holder = holderOf(tables, String(row['run_id']));
      if (isLeft(holder, settings, olderThanMs)) found.push({ ...row, epoch: holder?.epoch ?? 0 });
      if (found.length > limit) break;
    }
    return orphanPage(found, limit);
  });
}

/** Returns whether nobody holds a run any more, and nobody has for a while. */
function isLeft(
  holder: ReturnType<typeof holderOf>,
  settings: Lease,
  olderThanMs: number,
): boolean {
  if (holder === undefined) return true;
  return (
    stateOf(holder, settings) !== 'held' &&
    (holder.released_at ?? 0) <= settings.clock.now() - olderThanMs
  );
}
