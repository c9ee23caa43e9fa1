import { ReviewLoopError } from '../../../core/errors.js';
import { portErrors } from '../../../ports/errors.js';
import { storeErrors } from '../errors.js';
import { recordRows, tablesOfRuns } from '../record-columns.js';
import { attemptRows } from '../rows/attempt-row.js';
import { auditRows } from '../rows/audit-row.js';
import { creation } from '../rows/columns.js';
import { lessonRows } from '../rows/lesson-rows.js';
import { verdictRows } from '../rows/verdict-table.js';
import { sqlStateOf } from './database-failures.js';
import type { PostgresRow } from './postgres-client.js';

const migrations: readonly ((s: string) => string)[] = [firstTables, unknownCostColumn];

const schemaVersion = migrations.length;

export interface SchemaOptions {
  readonly schema: string;
  /** Whether missing tables may be created. */
  readonly migrate: boolean;
  readonly name: string;
  readonly ask: (sql: string) => Promise<readonly PostgresRow[]>;
}

/** The states that our migration raises itself. */
const foreign = 'RL001';

const newer = 'RL002';

/** A table or a schema does not exist. */
const missing: readonly unknown[] = ['42P01', '3F000'];

/** Creates the tables that are missing. Any number of processes may do it at once. */
export async function prepareSchema(options: SchemaOptions): Promise<void> {
  const version = await versionOf(options);
  if (version === schemaVersion) return;
  if (version !== undefined && version > schemaVersion) throw newerSchema(options, version);
  if (!options.migrate)
    throw new ReviewLoopError(
      storeErrors.store_outdated,
      `${options.name} has ${version === undefined ? 'no tables' : `schema version ${version}`}; ` +
        `this version of reviewloop needs ${schemaVersion}`,
      { value: options.schema },
    );
  try {
    await options.ask(migrationOf(options.schema));
  } catch (error) {
    const state = sqlStateOf(error);
    // another process with later code may have migrated it meanwhile
    if (state === newer) throw newerSchema(options, await versionOf(options));
    if (state !== foreign) throw error;
    throw new ReviewLoopError(
      storeErrors.store_foreign,
      `${options.name} belongs to another program: it has tables and none is reviewloop_version`,
      { cause: error, value: options.schema },
    );
  }
}

export function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}

async function versionOf({ schema, ask }: SchemaOptions): Promise<number | undefined> {
  try {
    const [row] = await ask(`SELECT version FROM ${quoted(schema)}.reviewloop_version`);
    const version = row === undefined ? 0 : Number(row['version']);
    if (Number.isSafeInteger(version) && version > 0) return version;
    throw new ReviewLoopError(
      portErrors.journal_corrupt,
      `the table reviewloop_version of schema ${schema} contains no version`,
      { value: schema },
    );
  } catch (error) {
    if (missing.includes(sqlStateOf(error))) return undefined;
    throw error;
  }
}

function newerSchema(
  { name, schema }: SchemaOptions,
  version: number | undefined,
): ReviewLoopError {
  return new ReviewLoopError(
    portErrors.journal_newer,
    `${name} has schema version ${version ?? 'unknown'}; this version of reviewloop knows ${schemaVersion}`,
    { value: schema },
  );
}

function migrationOf(schema: string): string {
  const s = quoted(schema);
  const steps = migrations.map((statements, index) => {
    return `IF known <= ${index} THEN ${statements(s)} END IF;`;
  });
  return `DO $reviewloop$
DECLARE known int;
BEGIN
  PERFORM pg_advisory_xact_lock(1920363632, hashtext('${schema}'));
  -- an advisory lock leaves what this connection remembers of the catalogs; a lock of a table renews it
  LOCK TABLE pg_catalog.pg_namespace IN ACCESS SHARE MODE;
  IF to_regnamespace('${s}') IS NULL THEN CREATE SCHEMA ${s}; END IF;
  IF to_regclass('${s}.reviewloop_version') IS NULL THEN
    IF EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('${s}')) THEN
      RAISE EXCEPTION USING ERRCODE = '${foreign}', MESSAGE = 'the schema has other tables';
    END IF;
    CREATE TABLE ${s}.reviewloop_version (version int NOT NULL);
    INSERT INTO ${s}.reviewloop_version VALUES (0);
  END IF;
  SELECT version INTO known FROM ${s}.reviewloop_version;
  IF known > ${schemaVersion} THEN
    RAISE EXCEPTION USING ERRCODE = '${newer}', MESSAGE = 'the schema is newer';
  END IF;
  ${steps.join('\n  ')}
  UPDATE ${s}.reviewloop_version SET version = ${schemaVersion};
END $reviewloop$`;
}

function unknownCostColumn(s: string): string {
  return `ALTER TABLE ${s}.spending ADD COLUMN unknown_calls bigint NOT NULL DEFAULT 0;`;
}

/**
 * Those of the kinds have the columns of today, so that a later migration adds a column `IF NOT
 * EXISTS`.
 *
 * Run ids are compared by their bytes, as JavaScript compares them. Times of records are
 * milliseconds since 1970, which may be fractions.
 *
 * @param s - The quoted name of the schema.
 */
function firstTables(s: string): string {
  return `${runTables(s)}${tablesOfKinds(s)}${sharedTables(s)}${indexes(s)}`;
}

function runTables(s: string): string {
  return `
CREATE TABLE ${s}.workers (
  id text PRIMARY KEY, lease_until timestamptz NOT NULL, host text, pid int,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE ${s}.runs (
  run_id text COLLATE "C" PRIMARY KEY, pos bigint GENERATED ALWAYS AS IDENTITY,
  status text NOT NULL DEFAULT 'running', code text, pipeline text, task_digest text, task text,
  started_at double precision, ended_at double precision, changed_at double precision,
  suspended_at double precision, due_at timestamptz,
  records int NOT NULL DEFAULT 0, epoch int NOT NULL DEFAULT 1, holder text, token text,
  touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  reserved_until timestamptz, claims int NOT NULL DEFAULT 0,
  audit_seq bigint, audit_hash text
) WITH (fillfactor = 80);
`;
}

function tablesOfKinds(s: string): string {
  const keys = ['PRIMARY KEY (task_id, attempt)', 'UNIQUE (task_id, run_id, run_attempt)'];
  return [
    creation(recordRows, s, 'written_at timestamptz NOT NULL DEFAULT clock_timestamp()'),
    ...[...tablesOfRuns, verdictRows].map((each) => creation(each, s)),
    creation(lessonRows, s, 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'),
    creation(auditRows, s, 'token text NOT NULL'),
    creation(attemptRows, s, 'attempt int NOT NULL', ...keys),
  ].join('');
}

function sharedTables(s: string): string {
  return `
CREATE TABLE ${s}.checklists (
  scope text NOT NULL, phase text NOT NULL, revision bigint NOT NULL, body text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (scope, phase)
);
CREATE TABLE ${s}.reports (
  run_id text COLLATE "C" NOT NULL, name text NOT NULL, body text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run_id, name)
);
CREATE TABLE ${s}.limits (
  key text PRIMARY KEY, requests_at timestamptz, tokens_at timestamptz, blocked_until timestamptz
) WITH (fillfactor = 50);
CREATE TABLE ${s}.spending (
  key text NOT NULL, day date NOT NULL, usd double precision NOT NULL DEFAULT 0,
  reserved_usd double precision NOT NULL DEFAULT 0, calls bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (key, day)
) WITH (fillfactor = 50);
CREATE TABLE ${s}.reservations (
  id text PRIMARY KEY, key text NOT NULL, day date NOT NULL, usd double precision NOT NULL,
  holder text NOT NULL, made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE ${s}.slots (
  key text NOT NULL, n int NOT NULL, holder text NOT NULL, token text,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (key, n)
);
`;
}

/** A column that each append changes has no index, so that the update stays on its page. */
function indexes(s: string): string {
  return `
CREATE UNIQUE INDEX runs_by_pos ON ${s}.runs (pos);
CREATE INDEX runs_by_status ON ${s}.runs (status, pos);
CREATE INDEX runs_by_pipeline ON ${s}.runs (pipeline, pos);
CREATE INDEX runs_suspended ON ${s}.runs (suspended_at, run_id) WHERE suspended_at IS NOT NULL;
CREATE INDEX runs_due ON ${s}.runs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX runs_held ON ${s}.runs (holder) WHERE holder IS NOT NULL;
CREATE INDEX records_of_people ON ${s}.records (run_id, n)
  WHERE type IN ('request', 'answer', 'end');
CREATE INDEX gaps_by_id ON ${s}.gaps (id);
CREATE INDEX gaps_by_criterion ON ${s}.gaps (criterion);
CREATE INDEX verdicts_by_time ON ${s}.verdicts (at);
CREATE INDEX answers_by_person ON ${s}.answers (who);
CREATE INDEX audit_by_run ON ${s}.audit (run_id);
CREATE INDEX reservations_by_key ON ${s}.reservations (key, day);
CREATE INDEX slots_by_holder ON ${s}.slots (holder);
`;
}
