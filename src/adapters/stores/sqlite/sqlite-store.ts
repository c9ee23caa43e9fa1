import { resolve } from 'node:path';
import {
  type LessonOptions,
  type LessonSettings,
  lessonSettings,
  type ReadableLessonStore,
} from '../../../blocks/lessons/lesson-store.js';
import {
  checkPositive,
  checkTable,
  elsewhere,
  invalid,
  type OptionTable,
} from '../../../core/options.js';
import type { AttemptStore } from '../../../ports/attempt-store.js';
import { type AuditSink, nextRecord } from '../../../ports/audit-chain.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { type Logger, silentLogger } from '../../../ports/logger.js';
import { checkRunId, isRunId } from '../../../ports/run-id.js';
import type { Journal, Store } from '../../../ports/store.js';
import type { VerdictStore } from '../../../ports/verdict-store.js';
import { auditSink } from '../audit-sink.js';
import type { AuditVerification, VerifyAuditOptions } from '../file/verify-audit.js';
import { auditRows, markIn } from '../rows/audit-row.js';
import { listRuns, waitingRuns } from '../rows/listed-runs.js';
import { checkValues, plainText } from '../rows/table-database.js';
import { tableStores } from '../rows/table-stores.js';
import { runJournal } from '../run-journal.js';
import {
  checkPatience,
  leaseTable,
  type PruneOptions,
  type PruneVerdictsOptions,
} from '../store-options.js';
import { recordsOf } from '../stored-records.js';
import { Database, insertRow, readsOnly } from './database.js';
import { isDriver, type SqliteDriver, type SqliteRow, type SqliteValue } from './driver.js';
import { orphanRows, pruneRows } from './prune-rows.js';
import { RunWriter, type WriterOptions } from './run-writer.js';
import { rowsOf, sqliteRun } from './sqlite-run.js';

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
