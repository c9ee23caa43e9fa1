import { checkAge, invalid } from '../../core/options.js';
import { checkPageLimit } from '../../ports/run-pages.js';
import type {
  OrphanPage,
  OrphanQuery,
  RunQuery,
  RunSummary,
  WaitingPage,
  WaitingQuery,
  WaitingRun,
} from '../../ports/store.js';
import { checkedQuery, cursorOf, waitingRun } from '../../ports/waiting-runs.js';
import { checkedRow, summaryOf } from '../stored-records.js';
import { isFree } from './open-run.js';
import type { PostgresRow } from './postgres-client.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Returns the runs of a query, in the order in which they began. */
export async function listRuns(
  database: PostgresDatabase,
  { status, pipeline, limit, after }: RunQuery,
): Promise<readonly RunSummary[]> {
  checkPageLimit(limit);
  const rows = await database.ask(
    `SELECT run_id, status, pipeline, code, started_at, pos::text AS cursor
     FROM ${database.schema}.runs
     WHERE records > 0 AND pos > $1::bigint AND ($2::text IS NULL OR status = $2)
       AND ($3::text IS NULL OR pipeline = $3)
     ORDER BY pos LIMIT $4::int`,
    [positionIn(after), status ?? null, pipeline ?? null, limit ?? null],
  );
  return rows.map((row) => summaryOf(row, limit));
}

/** Returns a page of the runs that are running and that no living process holds. */
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
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    runs: page.map(({ run_id: runId, pipeline, epoch }) => ({
      runId: String(runId),
      pipeline: String(pipeline ?? ''),
      epoch: String(epoch),
    })),
    ...(rows.length > limit && last !== undefined && { next: String(last['cursor']) }),
  };
}

/**
 * Returns a page of the suspended runs with their open questions, newest first. A run with a broken
 * record is left out.
 */
export async function waitingRuns(
  database: PostgresDatabase,
  query: WaitingQuery,
): Promise<WaitingPage> {
  const { limit, after } = checkedQuery(query);
  const { schema: s } = database;
  const rows = await database.ask(
    `SELECT p.run_id, p.suspended_at, p.pipeline, c.n, c.body, c.sum FROM (
       SELECT run_id, suspended_at, pipeline FROM ${s}.runs
       WHERE suspended_at IS NOT NULL AND ($1::float8 IS NULL OR (suspended_at, run_id) < ($1, $2))
       ORDER BY suspended_at DESC, run_id DESC LIMIT $3::int
     ) p LEFT JOIN ${s}.records c
       ON c.run_id = p.run_id AND c.type IN ('request', 'answer', 'end')
     ORDER BY p.suspended_at DESC, p.run_id DESC, c.n`,
    [after?.at ?? null, after?.runId ?? '', limit + 1],
  );
  const runs = new Map<string, PostgresRow[]>();
  for (const row of rows) {
    const runId = String(row['run_id']);
    runs.set(runId, [...(runs.get(runId) ?? []), row]);
  }
  const page = [...runs].slice(0, limit);
  const [lastId, [last] = []] = page.at(-1) ?? [];
  return {
    runs: page.flatMap(([runId, found]) => waitingIn(runId, found, database.name)),
    ...(runs.size > limit &&
      lastId !== undefined && {
        next: cursorOf({ at: Number(last?.['suspended_at']), runId: lastId }),
      }),
  };
}

function waitingIn(runId: string, rows: readonly PostgresRow[], name: string): WaitingRun[] {
  try {
    const found = rows.filter(({ n }) => n !== null).map((row) => checkedRow(row, runId, name));
    const waiting = waitingRun(
      runId,
      found.map(({ record }) => record),
    );
    return waiting === undefined
      ? []
      : [{ ...waiting, pipeline: String(rows[0]?.['pipeline'] ?? '') }];
  } catch {
    return [];
  }
}

/** Returns the position after which a page begins. */
function positionIn(after: string | undefined): string {
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw invalid('after', 'the cursor of an earlier page', after);
  return after ?? '0';
}
