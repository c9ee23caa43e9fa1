import type { JournalRecord } from '../../ports/store.js';
import { isRunId } from '../file/run-names.js';
import { corrupt, recordsOf } from '../stored-records.js';
import type { PostgresRow } from './postgres-client.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The rows of a run at one moment, and its writer. */
export interface CountedRows {
  /** The token of its current or last writer. */
  readonly token: unknown;
  readonly rows: readonly PostgresRow[];
}

/**
 * Returns the rows of a run; `undefined` for an unknown run.
 *
 * @throws ReviewLoopError `journal_corrupt` if it has fewer or more records than it should
 */
export async function countedRows(
  database: PostgresDatabase,
  runId: string,
): Promise<CountedRows | undefined> {
  const { schema: s, name } = database;
  const found = await database.ask(
    `SELECT r.token, r.records, c.n, c.body, c.sum FROM ${s}.runs r
     LEFT JOIN ${s}.records c ON c.run_id = r.run_id WHERE r.run_id = $1 ORDER BY c.n`,
    [runId],
  );
  const [first] = found;
  if (first === undefined) return undefined;
  const rows = found.filter(({ n }) => n !== null);
  const count = Number(first['records']);
  if (rows.length !== count)
    throw corrupt(`${name}, run ${runId}`, `records found: ${rows.length}, written: ${count}`);
  return { token: first['token'], rows };
}

/**
 * Returns the records of a run; `undefined` for an unknown run.
 *
 * @throws ReviewLoopError `journal_corrupt`, `journal_newer`, and the errors of the database
 */
export async function readRun(
  database: PostgresDatabase,
  runId: string,
): Promise<readonly JournalRecord[] | undefined> {
  if (!isRunId(runId)) return undefined;
  const found = await countedRows(database, runId);
  if (found === undefined || found.rows.length === 0) return undefined;
  return recordsOf(found.rows, runId, database.name);
}
