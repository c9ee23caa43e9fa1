import { checkAge, checkTable } from '../../../core/options.js';
import { checkPageLimit } from '../../../ports/run-pages.js';
import type { OrphanPage, OrphanQuery } from '../../../ports/store.js';
import { recordRows, tablesOfRuns } from '../record-columns.js';
import { orphanPage, positionIn } from '../rows/listed-runs.js';
import { type PruneOptions, pruneTable } from '../store-options.js';
import { isFree } from './open-run.js';
import type { PostgresDatabase } from './postgres-database.js';

const ofRuns = [...[recordRows, ...tablesOfRuns].map(({ name }) => name), 'reports'];

const most = 500;

export async function prunePostgres(
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
export async function timeOf(database: PostgresDatabase): Promise<number> {
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

export async function orphanRuns(
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
