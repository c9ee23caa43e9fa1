import type { Booking, BookingRequest, RateBook, RatePace } from '../limits/rate-book.js';
import type { PostgresDatabase } from './postgres-database.js';

/**
 * Returns the row of a rate limit. The row stores when the next call and the next token are due, if
 * all came evenly. One statement locks the row and books one call after another, by the clock of
 * the server. If it runs twice, the places of the first time are wasted.
 */
export function rateLimitRow(database: PostgresDatabase, key: string, pace: RatePace): RateBook {
  const sql = bookStatement(database.schema);
  const { callMs, burst, tokenMs, tokenBurst, mostTokens, horizonMs } = pace;
  const book = async (asked: BookingRequest): Promise<Booking> => {
    const costs = asked.tokens.map((tokens) => Math.min(tokens, mostTokens) * tokenMs);
    const rows = await database.ask(sql, [
      key,
      JSON.stringify(costs),
      callMs,
      (burst - 1) * callMs,
      tokenBurst * tokenMs,
      horizonMs,
      asked.owed * tokenMs,
      asked.spent * tokenMs,
      asked.holdMs,
    ]);
    if (rows.length === 0) {
      await database.ask(
        `INSERT INTO ${database.schema}.limits (key) VALUES ($1) ON CONFLICT DO NOTHING`,
        [key],
      );
      return book(asked);
    }
    const places = rows.slice(1);
    const waitOf = (index: number): number => Number(places[index]?.['wait'] ?? 0);
    const booked = places.filter((row) => row['booked'] === true).length;
    return {
      waits: places.slice(0, booked).map((_, index) => waitOf(index)),
      againMs: waitOf(booked) - horizonMs / 2,
    };
  };
  return { book };
}

/** Milliseconds since 1970. */
function msOf(time: string): string {
  return `coalesce(extract(epoch FROM ${time})::float8 * 1000, 0)`;
}

/**
 * Returns the statement. Its first row is the state of the limit, then comes one for each call, up
 * to the first one beyond the horizon.
 */
function bookStatement(schema: string): string {
  return `
WITH RECURSIVE own AS MATERIALIZED (
  SELECT requests_at, tokens_at, blocked_until FROM ${schema}.limits WHERE key = $1 FOR UPDATE
), times AS MATERIALIZED (
  SELECT ${msOf('clock_timestamp()')} AS now, ${msOf('requests_at')} AS calls,
    ${msOf('tokens_at')} + $7::float8 AS tokens, ${msOf('blocked_until')} AS blocked
  FROM own
), state AS MATERIALIZED (
  SELECT now, calls,
    CASE WHEN $8::float8 > 0 THEN greatest(tokens, now) + $8::float8 ELSE tokens END AS tokens,
    CASE WHEN $9::float8 > 0 THEN greatest(blocked, now + $9::float8) ELSE blocked END AS blocked
  FROM times
), asked AS MATERIALIZED (
  SELECT n::int, cost::float8
  FROM json_array_elements_text($2::text::json) WITH ORDINALITY AS given (cost, n)
), places AS (
  SELECT 0 AS n, now AS start, calls, tokens, true AS booked FROM state
  UNION ALL
  SELECT asked.n, next.start,
    CASE WHEN next.fits THEN greatest(places.calls, next.start) + $3::float8 ELSE places.calls END,
    CASE WHEN next.fits THEN greatest(places.tokens, next.start) + asked.cost
      ELSE places.tokens END,
    next.fits
  FROM places JOIN asked ON asked.n = places.n + 1 CROSS JOIN state
  CROSS JOIN LATERAL (
    SELECT greatest(state.now, state.blocked, places.calls - $4::float8,
      places.tokens + asked.cost - $5::float8) AS start
  ) AS earliest
  CROSS JOIN LATERAL (
    SELECT earliest.start, earliest.start <= state.now + $6::float8 AS fits
  ) AS next
  WHERE places.booked
), written AS (
  UPDATE ${schema}.limits SET requests_at = to_timestamp(last.calls / 1000),
    tokens_at = to_timestamp(last.tokens / 1000), blocked_until = to_timestamp(last.blocked / 1000)
  FROM (
    SELECT places.calls, places.tokens, state.blocked
    FROM places CROSS JOIN state ORDER BY places.n DESC LIMIT 1
  ) AS last
  WHERE key = $1
)
SELECT places.start - state.now AS wait, places.booked
FROM places CROSS JOIN state ORDER BY places.n`;
}
