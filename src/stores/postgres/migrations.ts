import { ReviewLoopError } from '../../core/errors.js';
import { portErrors } from '../../ports/errors.js';
import { storeErrors } from '../errors.js';
import { sqlStateOf } from './database-failures.js';
import type { PostgresRow } from './postgres-client.js';
import { firstTables } from './schema.js';

/** Migrations in their order; each returns its statements. */
const migrations: readonly ((s: string) => string)[] = [firstTables, unknownCostColumn];

/** The schema version that this code reads and writes. */
const schemaVersion = migrations.length;

/** What {@link prepareSchema} needs. */
export interface SchemaOptions {
  /** The unquoted name of the schema. */
  readonly schema: string;
  /** Whether missing tables may be created. */
  readonly migrate: boolean;
  /** The name of the database in messages. */
  readonly name: string;
  readonly ask: (sql: string) => Promise<readonly PostgresRow[]>;
}

/** The states that our migration raises itself. */
const foreign = 'RL001';
const newer = 'RL002';

/** A table or a schema does not exist. */
const missing: readonly unknown[] = ['42P01', '3F000'];

/**
 * Checks that a schema has the tables of this version, and creates those that are missing. Any
 * number of processes may do it at once.
 *
 * @throws ReviewLoopError `journal_newer`, `store_foreign`, `store_outdated`
 */
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

/** Returns a quoted name for statements. */
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

/** Returns one statement that does all that is missing, or nothing. */
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

/** Returns the statement that adds how many calls of a day have an unknown cost. */
function unknownCostColumn(s: string): string {
  return `ALTER TABLE ${s}.spending ADD COLUMN unknown_calls bigint NOT NULL DEFAULT 0;`;
}
