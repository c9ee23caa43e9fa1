import {
  type AttemptStore,
  attemptToStore,
  type TaskAttempt,
} from '../../task-review/attempt-store.js';
import { plainText } from '../plain-text.js';
import { attemptColumns, attemptInRow } from '../rows/attempt-row.js';
import { sqlStateOf } from './database-failures.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Another row has the same key. */
const taken = '23505';

/**
 * Returns the store of attempts in a database. Each attempt has a number in its run and one in its
 * task.
 */
export function attemptsIn(database: PostgresDatabase): AttemptStore {
  const table = `${database.schema}.attempts`;
  const ask = async (taskId: string, order: string): Promise<TaskAttempt[]> => {
    const rows = await database.ask(
      `SELECT * FROM ${table} WHERE task_id = $1 ORDER BY attempt ${order}`,
      [plainText(taskId)],
    );
    return rows.map((row) => attemptInRow(row, database.name));
  };
  return {
    record: async (given) => {
      const attempt = attemptToStore(given);
      const { texts, numbers } = attemptColumns(attempt);
      const columns = [
        ...texts.map(([name, value]) => ({ name, type: 'text', value })),
        ...numbers.map(([name, value]) => ({ name, type: 'float8', value })),
      ];
      const names = columns.map(({ name }) => name);
      const given$ = columns.map(({ type }, index) => `$${index + 4}::${type}`);
      const statement = `INSERT INTO ${table} (task_id, run_id, run_attempt, attempt, ${names.join(', ')})
        SELECT $1::text, $2::text, $3::int, coalesce(max(attempt), 0) + 1, ${given$.join(', ')}
        FROM ${table} WHERE task_id = $1::text
        ON CONFLICT (task_id, run_id, run_attempt)
        DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
      const values = [
        plainText(attempt.taskId),
        plainText(attempt.runId),
        attempt.attempt,
        ...columns.map(({ value }) => value),
      ];
      await retryWhileTaken(() => database.ask(statement, values));
    },
    of: (taskId) => ask(taskId, ''),
    last: async (taskId) => (await ask(taskId, 'DESC LIMIT 1'))[0],
  };
}

/** Retries as long as another writer takes the next number first: one of them always succeeds. */
async function retryWhileTaken(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (sqlStateOf(error) !== taken) throw error;
    }
  }
}
