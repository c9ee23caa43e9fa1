import { checkList } from '../../core/options.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Returns the ids of processes whose lease is over. */
export async function deadWorkers(database: PostgresDatabase): Promise<readonly string[]> {
  const rows = await database.ask(
    `SELECT id FROM ${database.schema}.workers WHERE lease_until < clock_timestamp() ORDER BY id`,
  );
  return rows.map((row) => String(row['id']));
}

/** Removes processes whose lease is over and that hold no run. */
export async function forgetWorkers(
  database: PostgresDatabase,
  ids: readonly string[],
): Promise<void> {
  checkList('ids', ids);
  const { schema: s } = database;
  await database.ask(
    `DELETE FROM ${s}.workers w
     WHERE w.id IN (SELECT json_array_elements_text($1::text::json))
       AND w.lease_until < clock_timestamp()
       AND NOT EXISTS (SELECT FROM ${s}.runs r WHERE r.holder = w.id)`,
    [JSON.stringify(ids)],
  );
}
