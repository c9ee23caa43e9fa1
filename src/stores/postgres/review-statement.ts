import type { TableRow } from '../plain-text.js';
import type { ReviewRows } from '../review-columns.js';

/** The columns that identify a row of reviews. */
const keys = ['run_id', 'iteration', 'n'];

/**
 * Returns the statement that writes one review and replaces the one of the same iteration. It
 * returns a row if the writer still holds the run. Its values are the run, the token, the
 * iteration, and the rows of the three tables as JSON.
 *
 * The server does not wait for its disk: the next record makes the rows durable, and a run that is
 * continued after a crash writes them again.
 *
 * @param s - The quoted name of the schema.
 */
export function reviewStatement(s: string, { review, assessments, gaps }: ReviewRows): string {
  // a replay asks nobody: the review took as long as it did before
  const duration_ms = `greatest(excluded.duration_ms,
      CASE WHEN old.version = excluded.version THEN old.duration_ms ELSE 0 END)`;
  return `
WITH held AS MATERIALIZED (
  SELECT run_id, set_config('synchronous_commit', 'off', true) FROM ${s}.runs
  WHERE run_id = $1 AND token = $2 FOR UPDATE
), reviewed AS (
  INSERT INTO ${s}.reviews AS old
  SELECT t.* FROM json_populate_recordset(NULL::${s}.reviews, $4::text::json) t
  WHERE EXISTS (SELECT FROM held)
  ON CONFLICT (run_id, iteration) ${updates([review], { duration_ms })}
), ${replaced(s, 'assessments', { value: 5, rows: assessments })},
${replaced(s, 'gaps', { value: 6, rows: gaps })}
SELECT run_id FROM held`;
}

/** Returns the parts that write the rows of a review and remove those that it has no longer. */
function replaced(
  s: string,
  table: string,
  { value, rows }: { readonly value: number; readonly rows: readonly TableRow[] },
): string {
  return `${table}_written AS (
  INSERT INTO ${s}.${table}
  SELECT t.* FROM json_populate_recordset(NULL::${s}.${table}, $${value}::text::json) t
  WHERE EXISTS (SELECT FROM held)
  ON CONFLICT (run_id, iteration, n) ${updates(rows, {})}
), ${table}_removed AS (
  DELETE FROM ${s}.${table} WHERE run_id = $1 AND iteration = $3::int AND n >= ${rows.length}
    AND EXISTS (SELECT FROM held)
)`;
}

function updates(rows: readonly TableRow[], other: Readonly<Record<string, string>>): string {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !keys.includes(name));
  if (columns.length === 0) return 'DO NOTHING';
  return `DO UPDATE SET ${columns.map((name) => `${name} = ${other[name] ?? `excluded.${name}`}`).join(', ')}`;
}
