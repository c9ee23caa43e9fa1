import { checkAge } from '../../core/options.js';
import { checkPageLimit } from '../../ports/run-pages.js';
import type { OrphanPage, OrphanQuery } from '../../ports/store.js';
import { positionIn } from '../rows/run-pages.js';
import { isFree } from './open-run.js';
import type { PostgresDatabase } from './postgres-database.js';

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
