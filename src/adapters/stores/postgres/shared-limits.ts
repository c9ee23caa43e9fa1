import type { Limiter } from '../../../ports/limiter.js';
import type { Random } from '../../../ports/random.js';
import type { RateLimit } from '../../../ports/rate-limit.js';
import type { SpendingDay, SpendingLimit } from '../../../ports/spending-limit.js';
import { BookedRateLimit } from '../limits/booked-rate-limit.js';
import {
  type Booking,
  type BookingRequest,
  type RateBook,
  type RatePace,
  ratePace,
  type SharedRateLimitOptions,
} from '../limits/rate-pace.js';
import {
  checkedSlots,
  type SharedLimiterOptions,
  SlotLimiter,
  type SlotRows,
} from '../limits/slot-limiter.js';
import {
  checkedSpending,
  OpenWork,
  type SharedSpendingLimitOptions,
  type SpendingRows,
  storedSpendingLimit,
} from '../limits/stored-spending-limit.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The limits of a store: all processes that use its schema share them. */
export interface SharedLimits {
  /**
   * Returns a limit on calls and tokens in any minute, for `withRateLimit`.
   *
   * @throws ReviewLoopError `invalid_options`
   */
  readonly rateLimit: (options: SharedRateLimitOptions) => RateLimit;
  /**
   * Returns a limit on the calls that run at a time, for `limiter` of a pipeline. The slots of a
   * process that dies are free when its lease is over.
   *
   * @throws ReviewLoopError `invalid_options`
   */
  readonly limiter: (options: SharedLimiterOptions) => Limiter;
  /**
   * Returns a limit on what calls cost in one day, for `withSpendingLimit`. The day is that of the
   * server's clock.
   *
   * @throws ReviewLoopError `invalid_options`
   */
  readonly spendingLimit: (options: SharedSpendingLimitOptions) => SpendingLimit;
}

export interface SharedLimitsOptions {
  readonly database: PostgresDatabase;
  readonly random: Random;
  readonly enlist: () => Promise<void>;
}

/** `done` waits for what they still write. */
export function sharedLimits({
  database,
  random,
  enlist,
}: SharedLimitsOptions): SharedLimits & { readonly done: () => Promise<void> } {
  const { clock } = database;
  const work = new OpenWork();
  const token = random.nonce;
  return {
    rateLimit: (options) => {
      const pace = ratePace(options);
      return new BookedRateLimit(rateLimitRow(database, options.key, pace), clock);
    },
    limiter: (options) => {
      const { key, concurrency } = checkedSlots(options);
      const rows = slotRows({ database, key, concurrency, enlist, token });
      return new SlotLimiter(
        { ...rows, free: (slots) => work.track(rows.free(slots)) },
        concurrency,
        clock,
      );
    },
    spendingLimit: (options) => {
      const checked = checkedSpending(options);
      const rows = spendingRows({ database, token, ...checked });
      return storedSpendingLimit(rows, checked.usdPerDay, work);
    },
    done: () => work.done(),
  };
}

/**
 * Stores when the next call and the next token are due, if all came evenly. One statement locks the
 * row and books one call after another, by the clock of the server. If it runs twice, the places of
 * the first time are wasted.
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
 * Its first row is the state of the limit, then comes one for each call, up to the first one beyond
 * the horizon.
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

export interface SlotOptions {
  readonly database: PostgresDatabase;
  readonly key: string;
  readonly concurrency: number;
  /** Makes sure that this process has a lease: its slots are free once the lease is over. */
  readonly enlist: () => Promise<void>;
  readonly token: () => string;
}

/**
 * One row each while it is taken. A statement marks what it takes with its own token, so that it
 * takes no more if it runs twice.
 */
function slotRows({ database, key, concurrency, enlist, token }: SlotOptions): SlotRows {
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

export interface SpendingRowOptions {
  readonly database: PostgresDatabase;
  readonly key: string;
  readonly usdPerDay: number;
  readonly timeZone: string;
  readonly token: () => string;
}

/**
 * One for each day with its sums, and one for each reserved call. A call is reserved and settled
 * once, also if a statement runs twice.
 */
function spendingRows(options: SpendingRowOptions): SpendingRows {
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
