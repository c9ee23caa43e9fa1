import { checkAge, checkTable } from '../../../core/options.js';
import type { Clock } from '../../../ports/clock.js';
import { checkPageLimit } from '../../../ports/run-pages.js';
import type { OrphanPage, OrphanQuery, OrphanRun } from '../../../ports/store.js';
import { recordRows, tablesOfRuns } from '../record-columns.js';
import { positionIn } from '../rows/listed-runs.js';
import { plainText } from '../rows/table-database.js';
import { type PruneOptions, pruneTable } from '../store-options.js';
import type { Database } from './database.js';
import { holderOf, stateOf, type WriterOptions } from './run-writer.js';

const ofRuns = [...[recordRows, ...tablesOfRuns].map(({ name }) => name), 'runs', 'writers'];

export interface PruneSettings {
  readonly clock: Clock;
  /** Lease timeout of writers, in milliseconds. */
  readonly patienceMs: number;
}

export async function pruneRows(
  database: Database,
  options: PruneOptions,
  settings: PruneSettings,
): Promise<readonly string[]> {
  checkTable('prune', pruneTable, options);
  const { olderThanMs, keep = 0, clock = settings.clock } = options;
  return database.write((tables) => {
    const ended = tables.all(
      `SELECT run_id, ended_at FROM runs WHERE status NOT IN ('running', 'suspended')
       ORDER BY ended_at DESC, rowid DESC`,
    );
    const old = ended
      .slice(keep)
      .filter((row) => Number(row['ended_at']) <= clock.now() - olderThanMs);
    const free = old
      .map((row) => plainText(String(row['run_id'])))
      .filter((runId) => {
        const holder = holderOf(tables, runId);
        return (
          holder === undefined ||
          stateOf(holder, { clock, patienceMs: settings.patienceMs }) === 'free'
        );
      });
    for (const runId of free)
      for (const table of ofRuns) tables.run(`DELETE FROM ${table} WHERE run_id = ?`, runId);
    return free;
  });
}

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
