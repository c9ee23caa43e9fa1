import { ReviewLoopError } from '../../core/errors.js';
import { portErrors } from '../../ports/errors.js';
import { storeErrors } from '../errors.js';
import { prepareQuery, type SqliteDriver } from './driver.js';
import { firstTables, indexes, tableNames, unknownScores } from './schema.js';

/** "rvlp": the application id of our databases. */
const applicationId = 0x72_76_6c_70;

/** Migrations in their order. Each runs once, and repeating it changes nothing. */
export const migrations: readonly ((database: SqliteDriver) => void)[] = [
  (database) => {
    database.exec(firstTables);
    addColumns(database, 'attempts', {
      attempt: 'INTEGER',
      run_id: 'TEXT',
      status: 'TEXT',
      error: 'TEXT',
      error_code: 'TEXT',
      at: 'INTEGER',
      input_tokens: 'INTEGER',
      output_tokens: 'INTEGER',
      cached_input_tokens: 'INTEGER',
      total_tokens: 'INTEGER',
      cost_usd: 'REAL',
    });
    database.exec(
      `UPDATE attempts SET attempt = (
         SELECT count(*) FROM attempts AS earlier
         WHERE earlier.task_id = attempts.task_id AND earlier.rowid <= attempts.rowid
       ) WHERE attempt IS NULL`,
    );
    database.exec(indexes);
  },
  (database) =>
    addColumns(database, 'attempts', { review_status: 'TEXT', review_findings: 'TEXT' }),
  (database) =>
    addColumns(database, 'attempts', {
      machine_verdict: 'TEXT',
      human_decision: 'TEXT',
      human_by: 'TEXT',
      human_reason: 'TEXT',
      review_issues: 'INTEGER',
      review_duration_ms: 'INTEGER',
    }),
  (database) => {
    addColumns(database, 'attempts', { run_attempt: 'INTEGER' });
    database.exec(
      `UPDATE attempts SET run_attempt = (
         SELECT count(*) FROM attempts AS earlier
         WHERE earlier.task_id = attempts.task_id AND earlier.run_id IS attempts.run_id
           AND earlier.attempt <= attempts.attempt
       ) WHERE run_attempt IS NULL`,
    );
  },
  (database) => {
    database.exec(unknownScores);
    database.exec(indexes);
  },
  (database) => database.exec(indexes),
];

/** The schema version that this code reads and writes. */
export const schemaVersion = migrations.length;

/**
 * Migrates a database to this version and keeps its rows. Does nothing if it already has this
 * version.
 *
 * @throws ReviewLoopError `journal_newer`, `journal_corrupt`, `store_foreign`
 */
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
  const table = tables.find((name) => !tableNames.includes(name));
  if (
    id !== applicationId &&
    (id !== 0 || table !== undefined || (version > schemaVersion && tables.length === 0))
  )
    throw new ReviewLoopError(
      storeErrors.store_foreign,
      `${file} is the database of another program${table === undefined ? '' : `: it has a table ${table}`}`,
      { value: file },
    );
  const [trigger] = namesIn(database, "SELECT name FROM sqlite_schema WHERE type = 'trigger'");
  if (trigger !== undefined)
    throw new ReviewLoopError(
      storeErrors.store_foreign,
      `${file} has the trigger ${trigger}, which may change what is recorded`,
      { value: file },
    );
  if (version > schemaVersion)
    throw new ReviewLoopError(
      portErrors.journal_newer,
      `${file} has schema version ${version}; this version of reviewloop knows ${schemaVersion}`,
      { value: file },
    );
  // a driver may end the process at a name of a column that is not UTF-8
  const isBroken = namesIn(database, 'SELECT sql AS name FROM sqlite_schema').some((sql) =>
    sql.includes('\ufffd'),
  );
  if (version < 0 || isBroken)
    throw new ReviewLoopError(
      portErrors.journal_corrupt,
      `${file} has ${isBroken ? 'broken tables' : `schema version ${version}`}`,
      { value: file },
    );
  return version;
}

function addColumns(
  database: SqliteDriver,
  table: string,
  columns: Readonly<Record<string, string>>,
): void {
  const present = new Set(namesIn(database, `SELECT name FROM pragma_table_info('${table}')`));
  for (const [name, type] of Object.entries(columns))
    if (!present.has(name)) database.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
}

function pragma(database: SqliteDriver, name: string): number {
  const [row] = database.prepare(`PRAGMA ${name}`).all();
  return typeof row === 'object' && row !== null ? Number(Reflect.get(row, name)) : 0;
}

function namesIn(database: SqliteDriver, sql: string): string[] {
  return prepareQuery(database, sql)().map(({ name }) => String(name));
}
