import { randomUUID } from 'node:crypto';
import { type LessonOptions, lessonSettings } from '../../../blocks/lessons/lesson-store.js';
import {
  checkAge,
  checkList,
  checkPositive,
  checkTable,
  elsewhere,
  flag,
  invalid,
  type OptionTable,
  shaped,
  whole,
} from '../../../core/options.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { type Logger, silentLogger } from '../../../ports/logger.js';
import { portTable } from '../../../ports/port-table.js';
import { systemRandom } from '../../../ports/random.js';
import { checkPageLimit } from '../../../ports/run-pages.js';
import type { OrphanPage, OrphanQuery, Store } from '../../../ports/store.js';
import { recordRows, tablesOfRuns } from '../record-columns.js';
import { listRuns, orphanPage, positionIn, waitingRuns } from '../rows/listed-runs.js';
import { checkValues } from '../rows/table-database.js';
import { type PruneOptions, pruneTable } from '../store-options.js';
import { AppendLane } from './append-lane.js';
import { isFree, openRun, type RunTables, readRun } from './open-run.js';
import {
  isClient,
  type PostgresClient,
  type PostgresRow,
  type PostgresValue,
} from './postgres-client.js';
import { PostgresDatabase } from './postgres-database.js';
import { type PostgresTables, postgresTables } from './postgres-tables.js';
import { type SharedLimits, sharedLimits } from './shared-limits.js';
import { WorkerLease } from './worker-lease.js';

export interface PostgresStoreOptions {
  /** The schema with the tables: letters, digits and `_`. @default 'reviewloop' */
  readonly schema?: string | undefined;
  /**
   * Lease timeout in milliseconds, by the server's clock: after that long without a sign of life,
   * other processes may take over the runs of this one.
   * @default 15000
   */
  readonly leaseMs?: number | undefined;
  /**
   * How long calls wait for a database that does not answer, in milliseconds; then they fail with
   * `store_busy`.
   * @default 60000
   */
  readonly outageMs?: number | undefined;
  /** Whether missing tables are created. @default true */
  readonly migrate?: boolean | undefined;
  /** The most connections that an address opens. @default 4 */
  readonly connections?: number | undefined;
  /** The name of this process in `workers`; the id adds random characters. @default 'worker' */
  readonly worker?: string | undefined;
  /** Options of `lessons`. @default the defaults of `fileLessons` */
  readonly lessons?: LessonOptions | undefined;
  /** Keeps the checklists of one project apart from those of others. @default '' */
  readonly scope?: string | undefined;
  /** Hears of lessons that cannot be read, and of an outage of over a second. @default silent */
  readonly logger?: Logger | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/** A store of runs in a PostgreSQL database, with the other stores in its tables. */
export interface PostgresStore extends Store, PostgresTables, SharedLimits {
  readonly waiting: NonNullable<Store['waiting']>;
  readonly orphans: NonNullable<Store['orphans']>;
  readonly now: NonNullable<Store['now']>;
  readonly openKnown: NonNullable<Store['openKnown']>;
  /** The id of this process: unique, also after a restart. */
  readonly worker: string;
  /**
   * Begins the lease of this process, and renews it from then on. Opening a run does the same.
   *
   * @throws ReviewLoopError `store_unavailable`, `store_busy`
   */
  readonly enlist: () => Promise<void>;
  /** Returns the ids of processes whose lease is over. */
  readonly deadWorkers: () => Promise<readonly string[]>;
  /** Removes processes whose lease is over and that hold no run. */
  readonly forgetWorkers: (ids: readonly string[]) => Promise<void>;
  /**
   * Returns the rows of an SQL query, which begins with SELECT, WITH or VALUES and names tables with
   * their schema. Values are JSON values.
   *
   * @throws ReviewLoopError `invalid_options`, `store_unavailable`, `store_busy`
   */
  readonly query: (sql: string, ...values: PostgresValue[]) => Promise<readonly PostgresRow[]>;
  /**
   * Removes ended runs with their reports and returns their ids. Rows in `audit`, `attempts`,
   * `lessons` and `verdicts` stay.
   */
  readonly prune: (options: PruneOptions) => Promise<readonly string[]>;
  /** Creates the tables that are missing, also with `migrate: false`. */
  readonly migrate: () => Promise<void>;
  /** Closes the connections. The next use opens them again. A client of the caller stays open. */
  readonly close: () => Promise<void>;
}

const suspended = { where: 'suspended_at IS NOT NULL', at: 'suspended_at' };

type Settings = RunTables & {
  readonly database: PostgresDatabase;
  readonly tables: PostgresTables;
};

/**
 * Creates a store of runs in a PostgreSQL database, for any number of processes on any number of
 * machines. Only the server's clock counts. Each statement is a transaction of its own, so that a
 * pooler may stand between.
 *
 * @param place - An address like `postgres://user@host:5432/database`, which needs the package `pg`.
 *   Or an open client, which the caller closes: a `Pool` of pg, a `PGlite`, or `{ query }`.
 * @throws ReviewLoopError `invalid_options`; the first use rejects with `peer_missing`,
 *   `journal_newer`, `store_foreign`, `store_outdated`, `store_unavailable`, `store_busy`
 * @example
 * ```ts
 * const store = postgresStore('postgres://app@db.example.com/app');
 * const pipeline = definePipeline({ ...options, store });
 * const outcome = await pipeline.run(task, { runId: 'article-7' }); // any machine continues it
 * ```
 */
export function postgresStore(
  place: string | PostgresClient,
  options: PostgresStoreOptions = {},
): PostgresStore {
  const settings = checked(place, options);
  const { database, tables, lease, lane, leaseMs } = settings;
  const { done: limitsDone, ...limits } = sharedLimits({
    database,
    random: systemRandom,
    enlist: () => lease.enlist(),
  });
  return {
    ...tables,
    worker: database.worker,
    list: async (query = {}) => listRuns(database, query, 'pos'),
    read: (runId) => readRun(database, runId),
    open: (runId) => openRun(settings, runId),
    openKnown: (runId) => openRun(settings, runId, true),
    waiting: (query) => waitingRuns(database, query, suspended),
    orphans: (query) => orphanRuns(database, query, leaseMs),
    now: () => timeOf(database),
    enlist: () => lease.enlist(),
    deadWorkers: () => deadWorkers(database),
    forgetWorkers: (ids) => forgetWorkers(database, ids),
    ...limits,
    query: async (sql, ...values) => queryRows(database, sql, values),
    prune: (asked) => prunePostgres(database, asked, leaseMs),
    migrate: () => database.migrate(true),
    close: async () => {
      await lane.idle();
      await limitsDone();
      await lease.close();
      await database.close();
    },
  };
}

const table: OptionTable<PostgresStoreOptions> = {
  schema: shaped('a name of letters, digits and _', /^[a-z_][a-z0-9_]{0,62}$/i),
  ...{ leaseMs: checkPositive, outageMs: checkPositive, migrate: flag, connections: whole(1) },
  worker: shaped('1 to 100 letters, digits and . : @ _ -', /^[\w.:@-]{1,100}$/),
  scope: shaped('a text of at most 200 characters', /^[^\0]{0,200}$/),
  ...{ lessons: elsewhere(), logger: portTable.logger, clock: portTable.clock },
};

function checked(place: string | PostgresClient, options: PostgresStoreOptions): Settings {
  if (typeof place !== 'string' && !isClient(place))
    throw invalid('place', 'an address, or a client with `query`', place);
  checkTable('postgresStore', table, options);
  const {
    schema = 'reviewloop',
    leaseMs = 15_000,
    outageMs = 60_000,
    migrate = true,
    connections = 4,
    worker = 'worker',
    lessons = {},
    scope = '',
    logger = silentLogger,
    clock = systemClock,
  } = options;
  const database = new PostgresDatabase({
    ...{ place, schema, outageMs, migrate, connections, clock, logger },
    // a restarted process must not keep the runs of the one before alive
    worker: `${worker}:${randomUUID()}`,
  });
  const lane = new AppendLane(database);
  const tables = postgresTables(database, {
    settings: lessonSettings('postgresStore.lessons', lessons),
    logger,
    scope,
  });
  return { database, tables, lane, lease: new WorkerLease(database, leaseMs), leaseMs };
}

/** As JSON values: a number is a number with every driver, and a time is an ISO 8601 text. */
async function queryRows(
  database: PostgresDatabase,
  sql: string,
  values: readonly PostgresValue[],
): Promise<readonly PostgresRow[]> {
  if (typeof sql !== 'string' || !/^\s*(?:SELECT|WITH|VALUES)\b/i.test(sql))
    throw invalid('sql', 'a query that begins with SELECT, WITH or VALUES', sql);
  checkValues(values);
  // inside another query nothing can be changed; and with a value, a driver sends one statement only
  const rows = await database.ask(
    `SELECT row_to_json(q)::text AS row FROM (${sql.trim().replace(/;$/, '')}\n) AS q
     LIMIT $${values.length + 1}::bigint`,
    [...values, null],
  );
  return rows.map(({ row }) => JSON.parse(String(row)));
}

async function deadWorkers(database: PostgresDatabase): Promise<readonly string[]> {
  const rows = await database.ask(
    `SELECT id FROM ${database.schema}.workers WHERE lease_until < clock_timestamp() ORDER BY id`,
  );
  return rows.map((row) => String(row['id']));
}

async function forgetWorkers(database: PostgresDatabase, ids: readonly string[]): Promise<void> {
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

const ofRuns = [...[recordRows, ...tablesOfRuns].map(({ name }) => name), 'reports'];

const most = 500;

async function prunePostgres(
  database: PostgresDatabase,
  options: PruneOptions,
  leaseMs: number,
): Promise<readonly string[]> {
  checkTable('prune', pruneTable, options);
  const { olderThanMs, keep = 0, clock } = options;
  const until = (clock === undefined ? await timeOf(database) : clock.now()) - olderThanMs;
  const ids = await endedRuns(database, { until, keep, leaseMs });
  const removed: string[] = [];
  for (let at = 0; at < ids.length; at += most)
    removed.push(...(await removeRuns(database, ids.slice(at, at + most), leaseMs)));
  return removed;
}

/** The server's time, in milliseconds since 1970. */
async function timeOf(database: PostgresDatabase): Promise<number> {
  const [row] = await database.ask(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  return Number(row?.['now']);
}

async function endedRuns(
  database: PostgresDatabase,
  { until, keep, leaseMs }: Record<'until' | 'keep' | 'leaseMs', number>,
): Promise<readonly string[]> {
  const { schema: s } = database;
  const rows = await database.ask(
    `SELECT r.run_id FROM (
       SELECT * FROM ${s}.runs WHERE records > 0 AND status NOT IN ('running', 'suspended')
       ORDER BY ended_at DESC, pos DESC OFFSET $2::int
     ) r WHERE r.ended_at <= $1::float8 AND ${isFree(s, '$3')} ORDER BY r.ended_at DESC, r.pos DESC`,
    [until, keep, leaseMs],
  );
  return rows.map((row) => String(row['run_id']));
}

/** Spares runs that somebody continued meanwhile; returns those that are gone. */
async function removeRuns(
  database: PostgresDatabase,
  ids: readonly string[],
  leaseMs: number,
): Promise<readonly string[]> {
  const { schema: s } = database;
  const given = `(SELECT json_array_elements_text($1::text::json))`;
  const removals = ofRuns.map(
    (table) =>
      `${table}_gone AS (DELETE FROM ${s}.${table} WHERE run_id IN (SELECT run_id FROM free))`,
  );
  await database.ask(
    `WITH free AS MATERIALIZED (
       SELECT r.run_id FROM ${s}.runs r WHERE r.run_id IN ${given}
         AND r.status NOT IN ('running', 'suspended') AND ${isFree(s, '$2')}
       ORDER BY r.run_id FOR UPDATE OF r
     ), ${removals.join(', ')}
     DELETE FROM ${s}.runs WHERE run_id IN (SELECT run_id FROM free)`,
    [JSON.stringify(ids), leaseMs],
  );
  // asked apart: the answer of the statement above may be lost
  const left = await database.ask(`SELECT run_id FROM ${s}.runs WHERE run_id IN ${given}`, [
    JSON.stringify(ids),
  ]);
  const kept = new Set(left.map((row) => row['run_id']));
  return ids.filter((runId) => !kept.has(runId));
}

async function orphanRuns(
  database: PostgresDatabase,
  { limit, after, olderThanMs = 60_000 }: OrphanQuery,
  leaseMs: number,
): Promise<OrphanPage> {
  checkPageLimit(limit);
  checkAge('olderThanMs', olderThanMs);
  const { schema: s } = database;
  const rows = await database.ask(
    `SELECT r.run_id, r.pipeline, r.epoch, r.pos::text AS cursor FROM ${s}.runs r
     WHERE r.status = 'running' AND r.records > 0 AND r.pos > $1::bigint AND ${isFree(s, '$4')}
       AND (r.holder IS NOT NULL
         OR r.touched_at <= clock_timestamp() - $3::float8 * interval '1 ms')
     ORDER BY r.pos LIMIT $2::int`,
    [positionIn(after), limit + 1, olderThanMs, leaseMs],
  );
  return orphanPage(rows, limit);
}
