import { checkAge, checkKeys, checkWhole } from '../../core/options.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { PruneVerdictsOptions } from '../file/prune-verdicts.js';
import { decodeEntry } from '../file/verdict-entry.js';
import { plainText } from '../plain-text.js';
import { verdictRow, verdictsUnavailable } from '../rows/verdict-row.js';
import type { PostgresDatabase } from './postgres-database.js';

export function verdictsIn(database: PostgresDatabase): VerdictStore {
  const table = `${database.schema}.verdicts`;
  return {
    get: async (key) => {
      try {
        const [row] = await database.ask(`SELECT head, body FROM ${table} WHERE key = $1`, [
          plainText(key),
        ]);
        if (row === undefined) return undefined;
        return decodeEntry(
          `${database.name}, verdict ${key}`,
          key,
          Buffer.from(`${String(row['head'])}\n${String(row['body'])}\n`),
        );
      } catch (error) {
        throw verdictsUnavailable(error, `cannot read the verdicts in ${database.name}`);
      }
    },
    put: async (key, verdict) => {
      const row = verdictRow(key, verdict);
      try {
        await database.ask(
          `INSERT INTO ${table} (key, reviewer, version, passed, assessments, total_tokens, cost_usd, at, head, body)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (key) DO UPDATE SET reviewer = excluded.reviewer,
             version = excluded.version, passed = excluded.passed,
             assessments = excluded.assessments, total_tokens = excluded.total_tokens,
             cost_usd = excluded.cost_usd, at = excluded.at, head = excluded.head,
             body = excluded.body`,
          [
            row.key,
            row.reviewer,
            row.version,
            row.passed,
            row.assessments,
            row.total_tokens,
            row.cost_usd,
            row.at,
            row.head,
            row.body,
          ],
        );
      } catch (error) {
        throw verdictsUnavailable(error, `cannot write the verdicts in ${database.name}`);
      }
    },
  };
}

/**
 * Removes verdicts that are too old, and the oldest beyond `max`; returns their number.
 *
 * @throws ReviewLoopError `invalid_options`, and the errors of the database
 */
export async function pruneVerdictRows(
  database: PostgresDatabase,
  options: PruneVerdictsOptions,
): Promise<number> {
  checkKeys('pruneVerdicts', options, ['olderThanMs', 'max', 'clock']);
  const { olderThanMs, max, clock = database.clock } = options;
  checkAge('olderThanMs', olderThanMs);
  if (max !== undefined) checkWhole('max', max, 0);
  const table = `${database.schema}.verdicts`;
  const rows = await database.ask(
    `DELETE FROM ${table} WHERE at < $1::float8
       OR ($2::int IS NOT NULL AND key NOT IN (SELECT key FROM ${table} ORDER BY at DESC, key LIMIT $2::int))
     RETURNING 1`,
    [clock.now() - olderThanMs, max ?? null],
  );
  return rows.length;
}
