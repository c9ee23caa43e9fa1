import type { SlotRows } from '../limits/slot-limiter.js';
import type { PostgresDatabase } from './postgres-database.js';

/** What {@link slotRows} needs. */
export interface SlotOptions {
  readonly database: PostgresDatabase;
  readonly key: string;
  readonly concurrency: number;
  /** Makes sure that this process has a lease: its slots are free once the lease is over. */
  readonly enlist: () => Promise<void>;
  /** Returns a text that nobody else has. */
  readonly token: () => string;
}

/**
 * Returns the slots of a limiter, one row each while it is taken. A statement marks what it takes
 * with its own token, so that it takes no more if it runs twice.
 */
export function slotRows({ database, key, concurrency, enlist, token }: SlotOptions): SlotRows {
  const { schema, worker } = database;
  return {
    take: async (most) => {
      await enlist();
      const own = token();
      const rows = await database.ask(takeStatement(schema), [key, concurrency, most, worker, own]);
      return rows.map((row) => `${String(row['n'])} ${own}`);
    },
    leave: async () => {
      await database.ask(
        `DELETE FROM ${schema}.slots WHERE key = $1 AND n < 0
         AND (n = ${waitingRow} AND holder = $2 OR NOT EXISTS (
           SELECT FROM ${schema}.workers WHERE id = holder AND lease_until >= clock_timestamp()
         ))`,
        [key, worker],
      );
    },
    isWanted: async () => {
      const [row] = await database.ask(
        `SELECT EXISTS (
           SELECT FROM ${schema}.slots JOIN ${schema}.workers ON id = holder
           WHERE key = $1 AND n < 0 AND holder <> $2 AND lease_until >= clock_timestamp()
         ) AS wanted`,
        [key, worker],
      );
      return row?.['wanted'] === true;
    },
    free: async (slots) => {
      await database.ask(
        `DELETE FROM ${schema}.slots USING json_array_elements_text($2::text::json) AS slot
         WHERE key = $1 AND n = split_part(slot, ' ', 1)::int AND token = split_part(slot, ' ', 2)`,
        [key, JSON.stringify(slots)],
      );
    },
  };
}

/** A process that waits has a row with a number below 0, made of its id. */
const waitingRow = '-1 - abs(hashtext($2::text)::bigint % 2000000000)::int';

/**
 * A slot of a process whose lease is over is taken over by its token: another process may have taken
 * it over meanwhile, with a lease that this statement does not see.
 */
function takeStatement(schema: string): string {
  return `
WITH kept AS MATERIALIZED (
  SELECT n FROM ${schema}.slots WHERE key = $1 AND token = $5::text AND n > 0
), free AS MATERIALIZED (
  SELECT place.n, taken.token FROM generate_series(1, $2::int) AS place (n)
  LEFT JOIN ${schema}.slots AS taken ON taken.key = $1 AND taken.n = place.n
  WHERE taken.n IS NULL OR NOT EXISTS (
    SELECT FROM ${schema}.workers
    WHERE id = taken.holder AND lease_until >= clock_timestamp()
  )
  ORDER BY place.n LIMIT greatest(0, $3::int - (SELECT count(*) FROM kept))
), made AS (
  INSERT INTO ${schema}.slots (key, n, holder, token)
  SELECT $1, n, $4, $5 FROM free WHERE token IS NULL ORDER BY n
  ON CONFLICT DO NOTHING RETURNING n
), moved AS (
  UPDATE ${schema}.slots AS slot SET holder = $4, token = $5, taken_at = clock_timestamp()
  FROM free WHERE slot.key = $1 AND slot.n = free.n AND slot.token = free.token RETURNING slot.n
), taken AS (
  SELECT n FROM kept UNION ALL SELECT n FROM made UNION ALL SELECT n FROM moved
), waits AS (
  INSERT INTO ${schema}.slots (key, n, holder, token)
  SELECT $1, ${waitingRow.replace('$2', '$4')}, $4, $5 WHERE (SELECT count(*) FROM taken) < $3::int
  ON CONFLICT DO NOTHING
), served AS (
  DELETE FROM ${schema}.slots WHERE key = $1 AND n = ${waitingRow.replace('$2', '$4')}
    AND holder = $4 AND (SELECT count(*) FROM taken) >= $3::int
)
SELECT n FROM taken`;
}
