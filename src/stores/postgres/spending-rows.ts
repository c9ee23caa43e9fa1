import type { SpendingDay } from '../../ports/spending-limit.js';
import type { SpendingRows } from '../limits/stored-spending-limit.js';
import type { PostgresDatabase } from './postgres-database.js';

/** What {@link spendingRows} needs. */
export interface SpendingRowOptions {
  readonly database: PostgresDatabase;
  readonly key: string;
  readonly usdPerDay: number;
  readonly timeZone: string;
  /** Returns a text that nobody else has. */
  readonly token: () => string;
}

/**
 * Returns the rows of a spending limit: one for each day with its sums, and one for each reserved
 * call. A call is reserved and settled once, also if a statement runs twice.
 */
export function spendingRows(options: SpendingRowOptions): SpendingRows {
  const { database, key, usdPerDay, timeZone, token } = options;
  const { schema, worker } = database;
  const statements = spendingStatements(schema);
  return {
    reserve: async (usd) => {
      const id = token();
      const [row] = await database.ask(statements.reserve, [
        key,
        timeZone,
        usdPerDay,
        usd,
        id,
        worker,
      ]);
      return row?.['reserved'] === true ? id : undefined;
    },
    settle: async (id, usd) => {
      await database.ask(statements.settle, [id, usd ?? null]);
    },
    today: async () => {
      const [row = {}] = await database.ask(statements.today, [key, timeZone]);
      return dayIn(row);
    },
    tidy: async () => {
      await database.ask(
        `DELETE FROM ${schema}.reservations WHERE made_at < clock_timestamp() - interval '7 days'`,
      );
    },
  };
}

function dayIn(row: Readonly<Record<string, unknown>>): SpendingDay {
  return {
    day: String(row['day']),
    spentUsd: Number(row['usd'] ?? 0),
    reservedUsd: Number(row['reserved_usd'] ?? 0),
    unknownCalls: Number(row['unknown_calls'] ?? 0),
    endsAt: new Date(Number(row['ends'])).toISOString(),
  };
}

/** Sums of fractions differ in the last digits. */
const rounding = '1e-9';

function spendingStatements(s: string) {
  const today = '(clock_timestamp() AT TIME ZONE $2::text)::date';
  return {
    reserve: `
WITH today AS MATERIALIZED (SELECT ${today} AS day),
known AS MATERIALIZED (SELECT id FROM ${s}.reservations WHERE id = $5),
booked AS (
  INSERT INTO ${s}.spending AS sums (key, day, reserved_usd)
  SELECT $1, day, $4::float8 FROM today
  WHERE $4::float8 <= $3::float8 + ${rounding} AND NOT EXISTS (SELECT FROM known)
  ON CONFLICT (key, day) DO UPDATE SET reserved_usd = sums.reserved_usd + excluded.reserved_usd
  WHERE sums.usd + sums.reserved_usd + excluded.reserved_usd <= $3::float8 + ${rounding}
    AND sums.usd + sums.reserved_usd < $3::float8 - ${rounding}
  RETURNING day
), made AS (
  INSERT INTO ${s}.reservations (id, key, day, usd, holder)
  SELECT $5, $1, day, $4::float8, $6 FROM booked
)
SELECT EXISTS (SELECT FROM booked) OR EXISTS (SELECT FROM known) AS reserved`,
    settle: `
WITH gone AS (DELETE FROM ${s}.reservations WHERE id = $1 RETURNING key, day, usd)
UPDATE ${s}.spending AS sums SET usd = sums.usd + coalesce($2::float8, gone.usd),
  reserved_usd = greatest(0, sums.reserved_usd - gone.usd), calls = sums.calls + 1,
  unknown_calls = sums.unknown_calls + ($2::float8 IS NULL)::int
FROM gone WHERE sums.key = gone.key AND sums.day = gone.day`,
    today: `
WITH today AS MATERIALIZED (SELECT ${today} AS day)
SELECT today.day::text AS day, usd, reserved_usd, unknown_calls,
  extract(epoch FROM (today.day + 1)::timestamp AT TIME ZONE $2::text)::float8 * 1000 AS ends
FROM today LEFT JOIN ${s}.spending AS sums ON sums.key = $1 AND sums.day = today.day`,
  };
}
