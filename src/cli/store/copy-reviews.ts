import type { PostgresDatabase } from '../../stores/postgres/postgres-database.js';

/** Returns the rows of a table about a run. */
export type ReviewSource = (
  table: string,
  runId: string,
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The tables about reviews, which no record contains. */
const tables = ['reviews', 'assessments', 'gaps'];

/** Copies the rows about the reviews of a run. Those of the other store stay as they are. */
export async function copyReviews(
  from: ReviewSource,
  database: PostgresDatabase,
  runId: string,
): Promise<void> {
  const { schema } = database;
  for (const table of tables) {
    const rows = await from(table, runId);
    if (rows.length === 0) continue;
    await database.ask(
      `INSERT INTO ${schema}.${table}
       SELECT t.* FROM json_populate_recordset(NULL::${schema}.${table}, $1::text::json) t
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }
}
