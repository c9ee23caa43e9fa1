import { resolve } from 'node:path';
import { checkKeys, checkPositive, invalid } from '../../core/options.js';
import type { ReadableLessonStore } from '../../lessons/lesson-store.js';
import {
  type LessonOptions,
  type LessonSettings,
  lessonSettings,
} from '../../lessons/lesson-store.js';
import { AuditMarkSchema } from '../../ports/audit-chain.js';
import type { AuditSink } from '../../ports/audit-sink.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import type { Journal, Store } from '../../ports/store.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { AttemptStore } from '../../task-review/attempt-store.js';
import type { PruneOptions } from '../file/prune-runs.js';
import type { PruneVerdictsOptions } from '../file/prune-verdicts.js';
import { isRunId } from '../file/run-names.js';
import type { AuditVerification, VerifyAuditOptions } from '../file/verify-audit.js';
import { attemptsIn } from './attempt-table.js';
import { auditIn, verifyTable } from './audit-table.js';
import { Database, type SqliteRow } from './database.js';
import { isDriver, type SqliteDriver, type SqliteValue } from './driver.js';
import { lessonsIn } from './lesson-table.js';
import { type PruneSettings, pruneRows, pruneVerdictRows } from './prune-rows.js';
import { checkCount, recordRows, recordsOf } from './record-rows.js';
import { RunWriter, type WriterOptions } from './run-writer.js';
import { SqliteJournal } from './sqlite-journal.js';
import { verdictsIn } from './verdict-table.js';

/** How a store in SQLite behaves. */
export interface SqliteStoreOptions {
  /** How often an open journal shows that its writer lives. @default 2000 */
  readonly heartbeatMs?: number | undefined;
  /** How long a writer may be silent before another takes its run over. @default 10000 */
  readonly patienceMs?: number | undefined;
  /** How long a transaction waits for those of other processes. @default 30000 */
  readonly busyTimeoutMs?: number | undefined;
  /** How `lessons` keeps and tells lessons. @default as `fileLessons` */
  readonly lessons?: LessonOptions | undefined;
  /** Told of lessons that cannot be read. @default silent */
  readonly logger?: Logger | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
}

/** A store in a database, with everything else that is kept in its tables. */
export interface SqliteStore extends Store {
  /** Verdicts over runs, for `verdicts` of a pipeline. */
  readonly verdicts: VerdictStore;
  /** Lessons, for `learn` of a pipeline. */
  readonly lessons: ReadableLessonStore;
  /** The log of decisions, for `audit` of a pipeline. */
  readonly audit: AuditSink;
  /** Attempts at tasks, for `attempts` of a `TaskReview`. */
  readonly attempts: AttemptStore;
  /** Asks in SQL; a statement that would change something is refused. */
  readonly query: (sql: string, ...values: SqliteValue[]) => Promise<readonly SqliteRow[]>;
  /** Checks that the log of decisions is what was written, and that no run knows of a record that is gone. */
  readonly verifyAudit: (options?: VerifyAuditOptions) => Promise<AuditVerification>;
  /** Removes runs that have ended, with their rows in all tables but `audit`, `attempts`, `lessons` and `verdicts`; gives their ids. */
  readonly prune: (options: PruneOptions) => Promise<readonly string[]>;
  /** Removes verdicts that are old; tells how many. */
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
  /** Lets go of the file; what is used afterwards opens it again. A connection that was passed stays open. */
  readonly close: () => Promise<void>;
}

type Settings = WriterOptions &
  PruneSettings & { readonly lessons: LessonSettings; readonly logger: Logger };

/**
 * Keeps runs in a database of SQLite that can be asked in SQL, for any number of processes at once: journals, reviews, gaps, answers,
 * verdicts, lessons, the log of decisions and attempts at tasks. docs/sql.md describes the tables.
 *
 * @param place - A file, made when it is not there; it needs `libsql`, `better-sqlite3` or node:sqlite. Or an open connection of one of these, which the caller closes.
 * @throws ReviewLoopError `invalid_options`; when it is first used, also `peer_missing`, `output_unwritable`, `journal_corrupt`, `journal_newer`, `store_foreign`, `store_busy`
 * @example
 * ```ts
 * const store = sqliteStore('.reviewloop/reviewloop.db');
 * const pipeline = definePipeline({ ...options, store, verdicts: store.verdicts, learn: store.lessons, audit: store.audit });
 * const worst = await store.query('SELECT criterion, count(*) AS times FROM gaps GROUP BY criterion ORDER BY times DESC');
 * ```
 */
export function sqliteStore(
  place: string | SqliteDriver,
  options: SqliteStoreOptions = {},
): SqliteStore {
  const settings = checked(place, options);
  const { database, clock, lessons, logger } = settings;
  return {
    list: ({ status } = {}) => list(database, status),
    read: async (runId) => {
      if (!isRunId(runId)) return undefined;
      const rows = await database.read((tables) => {
        checkCount(tables, runId, database.name);
        return recordRows(tables, runId);
      });
      return rows.length === 0 ? undefined : recordsOf(rows, runId, database.name);
    },
    open: (runId) => open(settings, runId),
    verdicts: verdictsIn(database),
    lessons: lessonsIn(database, { settings: lessons, logger }),
    audit: auditIn(database, clock),
    attempts: attemptsIn(database),
    query: (sql, ...values) => query(database, sql, values),
    verifyAudit: async (asked = {}) => {
      checkKeys('verifyAudit', asked, ['expect']);
      const { expect = [] } = asked;
      if (!Array.isArray(expect) || expect.some((mark) => !AuditMarkSchema.safeParse(mark).success))
        throw invalid('expect', 'marks { seq, hash }', expect);
      return verifyTable(database, expect);
    },
    prune: (asked) => pruneRows(database, asked, settings),
    pruneVerdicts: (asked) => pruneVerdictRows(database, asked, settings),
    close: () => database.close(),
  };
}

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
  checkKeys('sqliteStore', options, [
    'heartbeatMs',
    'patienceMs',
    'busyTimeoutMs',
    'lessons',
    'logger',
    'clock',
  ]);
  const {
    heartbeatMs = 2000,
    patienceMs = 10_000,
    busyTimeoutMs = 30_000,
    lessons = {},
    logger = silentLogger,
    clock = systemClock,
  } = options;
  checkPositive('heartbeatMs', heartbeatMs);
  checkPositive('busyTimeoutMs', busyTimeoutMs);
  if (typeof patienceMs !== 'number' || !(patienceMs > heartbeatMs))
    throw invalid('patienceMs', `more than the ${heartbeatMs} ms between heartbeats`, patienceMs);
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
  if (!isRunId(runId)) throw invalid('runId', '1 to 200 letters, digits and . : @ _ -', runId);
  const { database } = settings;
  const { writer, value } = await RunWriter.take(settings, runId, (tables) => {
    checkCount(tables, runId, database.name);
    return recordRows(tables, runId);
  });
  try {
    return new SqliteJournal({
      runId,
      database,
      writer,
      records: recordsOf(value, runId, database.name),
    });
  } catch (error) {
    await writer.release();
    throw error;
  }
}

async function list(database: Database, status: string | undefined): ReturnType<Store['list']> {
  const which = status === undefined ? '' : 'WHERE status = ?';
  const rows = await database.read((tables) =>
    tables.all(
      `SELECT run_id, status FROM runs ${which} ORDER BY rowid`,
      ...(status === undefined ? [] : [status]),
    ),
  );
  return rows.map((row) => ({ runId: String(row['run_id']), status: String(row['status']) }));
}

async function query(
  database: Database,
  sql: string,
  values: readonly SqliteValue[],
): Promise<readonly SqliteRow[]> {
  if (typeof sql !== 'string' || sql.trim() === '') throw invalid('sql', 'a statement', sql);
  const isText = (value: unknown): boolean =>
    typeof value === 'string' && !value.includes('\u0000');
  // some drivers end the whole process on anything else, and on a single null
  const wrong = values.find(
    (value) => !(isText(value) || Number.isFinite(value) || (value === null && values.length > 1)),
  );
  if (wrong !== undefined) throw invalid('values', 'texts without NUL and finite numbers', wrong);
  return database.ask(sql, values);
}
