import { checkAge } from '../../core/options.js';
import { checkPageLimit } from '../../ports/run-pages.js';
import type { OrphanPage, OrphanQuery, OrphanRun } from '../../ports/store.js';
import { positionIn } from '../rows/run-pages.js';
import { holderOf, stateOf, type WriterOptions } from './run-writer.js';

/** Returns a page of the runs that are running and that no writer holds. */
export async function orphanRows(
  { database, ...settings }: Omit<WriterOptions, 'heartbeatMs'>,
  { limit, after, olderThanMs = 60_000 }: OrphanQuery,
): Promise<OrphanPage> {
  checkPageLimit(limit);
  checkAge('olderThanMs', olderThanMs);
  return database.read((tables) => {
    const running = tables.all(
      `SELECT rowid AS cursor, run_id, pipeline FROM runs
       WHERE status = 'running' AND rowid > ? ORDER BY rowid`,
      positionIn(after),
    );
    const found: (OrphanRun & { readonly cursor: string })[] = [];
    for (const { run_id: runId, pipeline, cursor } of running) {
      const holder = holderOf(tables, String(runId));
      if (!isLeft(holder, settings, olderThanMs)) continue;
      const epoch = String(holder?.epoch ?? 0);
      const name = String(pipeline ?? '');
      found.push({ runId: String(runId), pipeline: name, epoch, cursor: String(cursor) });
      if (found.length > limit) break;
    }
    const page = found.slice(0, limit);
    return {
      runs: page.map(({ cursor, ...run }) => run),
      ...(found.length > limit && { next: page.at(-1)?.cursor }),
    };
  });
}

/** Returns whether nobody holds a run any more, and nobody has for a while. */
function isLeft(
  holder: ReturnType<typeof holderOf>,
  settings: Pick<WriterOptions, 'clock' | 'patienceMs'>,
  olderThanMs: number,
): boolean {
  if (holder === undefined) return true;
  return (
    stateOf(holder, settings) !== 'held' &&
    (holder.released_at ?? 0) <= settings.clock.now() - olderThanMs
  );
}
