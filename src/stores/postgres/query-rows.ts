import { invalid } from '../../core/options.js';
import type { PostgresRow, PostgresValue } from './postgres-client.js';
import type { PostgresDatabase } from './postgres-database.js';

/**
 * Returns the rows of a query that changes nothing, as JSON values: a number is a number with every
 * driver, and a time is an ISO 8601 text.
 *
 * @throws ReviewLoopError `invalid_options`, `store_unavailable`, `store_busy`
 */
export async function queryRows(
  database: PostgresDatabase,
  sql: string,
  values: readonly PostgresValue[],
): Promise<readonly PostgresRow[]> {
  if (typeof sql !== 'string' || !/^\s*(?:SELECT|WITH|VALUES)\b/i.test(sql))
    throw invalid('sql', 'a query that begins with SELECT, WITH or VALUES', sql);
  const wrong = values.find(
    (value) =>
      !(
        value === null ||
        Number.isFinite(value) ||
        (typeof value === 'string' && !value.includes('\u0000'))
      ),
  );
  if (wrong !== undefined)
    throw invalid('values', 'strings without NUL, finite numbers and null', wrong);
  // inside another query nothing can be changed; and with a value, a driver sends one statement only
  const rows = await database.ask(
    `SELECT row_to_json(q)::text AS row FROM (${sql.trim().replace(/;$/, '')}\n) AS q
     LIMIT $${values.length + 1}::bigint`,
    [...values, null],
  );
  return rows.map(({ row }) => JSON.parse(String(row)));
}
