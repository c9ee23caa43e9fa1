import type { AttemptRow } from '../rows/attempt-row.js';
import { sqlStateOf } from './database-failures.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Another row has the same key. */
const taken = '23505';

/** Replaces an attempt in its place, or gives it the next number of its task. */
export async function writeAttempt(
  database: PostgresDatabase,
  { key, texts, numbers }: AttemptRow,
): Promise<void> {
  const table = `${database.schema}.attempts`;
  const columns = [
    ...texts.map(([name, value]) => ({ name, type: 'text', value })),
    ...numbers.map(([name, value]) => ({ name, type: 'float8', value })),
  ];
  const names = columns.map(({ name }) => name);
  const given = columns.map(({ type }, index) => `$${index + 4}::${type}`);
  const statement = `INSERT INTO ${table} (task_id, run_id, run_attempt, attempt, ${names.join(', ')})
    SELECT $1::text, $2::text, $3::int, coalesce(max(attempt), 0) + 1, ${given.join(', ')}
    FROM ${table} WHERE task_id = $1::text
    ON CONFLICT (task_id, run_id, run_attempt)
    DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  const values = [...key, ...columns.map(({ value }) => value)];
  for (;;) {
    try {
      await database.ask(statement, values);
      return;
    } catch (error) {
      // another writer took the number first: one of them always succeeds
      if (sqlStateOf(error) !== taken) throw error;
    }
  }
}
