import type { ErrorEntry } from '../../../core/error-table.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { portErrors } from '../../../ports/errors.js';
import { storeErrors } from '../errors.js';
import { recordRows, reviews, tablesOfRuns } from '../record-columns.js';
import { attemptRows } from '../rows/attempt-row.js';
import { auditRows } from '../rows/audit-row.js';
import { creation } from '../rows/columns.js';
import { lessonRows } from '../rows/lesson-rows.js';
import { verdictRows } from '../rows/verdict-table.js';
import { prepareQuery, type SqliteDriver } from './driver.js';

/** "rvlp": the application id of our databases. */
const applicationId = 0x72_76_6c_70;

/** Each runs once, and repeating it changes nothing. */
export const migrations: readonly ((database: SqliteDriver) => void)[] = [
  (database) => {
    database.exec(firstTables);
    addColumns(database, [
      ...['attempt INTEGER', 'run_id TEXT', 'status TEXT', 'error TEXT', 'error_code TEXT'],
      ...['at INTEGER', 'input_tokens INTEGER', 'output_tokens INTEGER'],
      ...['cached_input_tokens INTEGER', 'total_tokens INTEGER', 'cost_usd REAL'],
    ]);
    database.exec(
      `UPDATE attempts SET attempt = (
         SELECT count(*) FROM attempts AS earlier
         WHERE earlier.task_id = attempts.task_id AND earlier.rowid <= attempts.rowid
       ) WHERE attempt IS NULL`,
    );
    database.exec(indexes);
  },
  (database) => addColumns(database, ['review_status TEXT', 'review_findings TEXT']),
  (database) =>
    addColumns(database, [
      ...['machine_verdict TEXT', 'human_decision TEXT', 'human_by TEXT', 'human_reason TEXT'],
      ...['review_issues INTEGER', 'review_duration_ms INTEGER'],
    ]),
  (database) => {
    addColumns(database, ['run_attempt INTEGER']);
    database.exec(
      `UPDATE attempts SET run_attempt = (
         SELECT count(*) FROM attempts AS earlier
         WHERE earlier.task_id = attempts.task_id AND earlier.run_id IS attempts.run_id
           AND earlier.attempt <= attempts.attempt
       ) WHERE run_attempt IS NULL`,
    );
  },
  (database) => {
    // a score that is not known is NULL
    database.exec(
      `ALTER TABLE reviews RENAME TO reviews_before; ${creation(reviews)}
       INSERT INTO reviews SELECT * FROM reviews_before; DROP TABLE reviews_before`,
    );
    database.exec(indexes);
  },
  (database) => database.exec(indexes),
];

/** The migrations add the columns that an older database lacks. */
const firstTables = `
CREATE TABLE IF NOT EXISTS runs (
  run_id TEXT PRIMARY KEY, status TEXT NOT NULL DEFAULT 'running', code TEXT, pipeline TEXT,
  task_digest TEXT, task TEXT,
  started_at INTEGER, ended_at INTEGER, changed_at INTEGER NOT NULL,
  records INTEGER NOT NULL DEFAULT 0, audit_seq INTEGER, audit_hash TEXT
);
CREATE TABLE IF NOT EXISTS writers (
  run_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL, pid INTEGER NOT NULL,
  place TEXT NOT NULL,
  beat_at INTEGER NOT NULL, released_at INTEGER
);
${[recordRows, ...tablesOfRuns, verdictRows, auditRows].map((each) => creation(each)).join('')}
${creation(lessonRows, undefined, 'id INTEGER PRIMARY KEY')}
${creation(attemptRows, undefined, 'attempt INTEGER NOT NULL')}`;

const indexes = `
CREATE UNIQUE INDEX IF NOT EXISTS attempts_of ON attempts (task_id, attempt);
CREATE INDEX IF NOT EXISTS runs_by_status ON runs (status);
CREATE INDEX IF NOT EXISTS runs_by_status_time ON runs (status, changed_at, run_id);
CREATE INDEX IF NOT EXISTS gaps_by_id ON gaps (id);
CREATE INDEX IF NOT EXISTS gaps_by_criterion ON gaps (criterion);
CREATE INDEX IF NOT EXISTS verdicts_by_time ON verdicts (at);
CREATE INDEX IF NOT EXISTS answers_by_person ON answers (who);
`;

export const schemaVersion = migrations.length;

/** Keeps the rows. */
export function migrate(database: SqliteDriver, file: string): void {
  if (checkedVersion(database, file) === schemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // another process may have migrated it while this one waited
    const from = checkedVersion(database, file);
    for (const migration of migrations.slice(from)) migration(database);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function checkedVersion(database: SqliteDriver, file: string): number {
  const version = pragma(database, 'user_version');
  const id = pragma(database, 'application_id');
  const tables = namesIn(
    database,
    `SELECT name FROM sqlite_schema
     WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  const wrong = (error: ErrorEntry, what: string): ReviewLoopError =>
    new ReviewLoopError(error, `${file} ${what}`, { value: file });
  const table = tables.find((name) => !tableNames.includes(name));
  if (
    id !== applicationId &&
    (id !== 0 || table !== undefined || (version > schemaVersion && tables.length === 0))
  ) {
    const seen = table === undefined ? '' : `: it has a table ${table}`;
    throw wrong(storeErrors.store_foreign, `is the database of another program${seen}`);
  }
  const [trigger] = namesIn(database, "SELECT name FROM sqlite_schema WHERE type = 'trigger'");
  if (trigger !== undefined)
    throw wrong(
      storeErrors.store_foreign,
      `has the trigger ${trigger}, which may change what is recorded`,
    );
  if (version > schemaVersion)
    throw wrong(
      portErrors.journal_newer,
      `has schema version ${version}; this version of reviewloop knows ${schemaVersion}`,
    );
  // a driver may end the process at a name of a column that is not UTF-8
  const isBroken = namesIn(database, 'SELECT sql AS name FROM sqlite_schema').some((sql) =>
    sql.includes('\ufffd'),
  );
  if (version < 0 || isBroken)
    throw wrong(
      portErrors.journal_corrupt,
      `has ${isBroken ? 'broken tables' : `schema version ${version}`}`,
    );
  return version;
}

/** @param columns - Those of attempts, with their types. */
function addColumns(database: SqliteDriver, columns: readonly string[]): void {
  const present = namesIn(database, "SELECT name FROM pragma_table_info('attempts')");
  for (const column of columns)
    if (!present.some((name) => column.startsWith(`${name} `)))
      database.exec(`ALTER TABLE attempts ADD COLUMN ${column}`);
}

function pragma(database: SqliteDriver, name: string): number {
  const [row] = database.prepare(`PRAGMA ${name}`).all();
  return typeof row === 'object' && row !== null ? Number(Reflect.get(row, name)) : 0;
}

function namesIn(database: SqliteDriver, sql: string): string[] {
  return prepareQuery(database, sql)().map(({ name }) => String(name));
}

/** A database with other tables belongs to another program. */
export const tableNames: readonly string[] = [
  ...firstTables.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g),
].map(([, name = '']) => name);
