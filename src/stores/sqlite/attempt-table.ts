import {
  type AttemptStore,
  attemptToStore,
  type TaskAttempt,
} from '../../task-review/attempt-store.js';
import { plainText } from '../plain-text.js';
import { attemptColumns, attemptInRow } from '../rows/attempt-row.js';
import type { Database } from './database.js';

/**
 * Returns the store of attempts in a database. Each attempt has a number in its run and one in its
 * task.
 */
export function attemptsIn(database: Database): AttemptStore {
  const ask = async (taskId: string, order: string): Promise<TaskAttempt[]> => {
    const rows = await database.read((tables) =>
      tables.all(
        `SELECT * FROM attempts WHERE task_id = ? ORDER BY attempt ${order}`,
        plainText(taskId),
      ),
    );
    return rows.map((row) => attemptInRow(row, database.name));
  };
  return {
    record: async (given) => {
      const attempt = attemptToStore(given);
      const key = [plainText(attempt.taskId), plainText(attempt.runId), attempt.attempt];
      const { texts, numbers } = attemptColumns(attempt);
      const columns = [...texts, ...numbers];
      const names = columns.map(([name]) => name);
      const values = columns.map(([, value]) => value);
      const known = `UPDATE attempts SET ${names.map((name) => `${name} = ?`).join(', ')}
        WHERE task_id = ? AND run_id = ? AND run_attempt = ?`;
      const next = `INSERT INTO attempts (${names.join(', ')}, task_id, run_id, run_attempt, attempt)
        SELECT ${names.map(() => '?').join(', ')}, ?, ?, ?, coalesce(max(attempt), 0) + 1
        FROM attempts WHERE task_id = ?`;
      await database.write((tables) => {
        if (tables.run(known, ...values, ...key) === 0)
          tables.run(next, ...values, ...key, plainText(attempt.taskId));
      });
    },
    of: (taskId) => ask(taskId, ''),
    last: async (taskId) => (await ask(taskId, 'DESC LIMIT 1'))[0],
  };
}
