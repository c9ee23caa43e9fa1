import { checkAge, checkTable } from '../../../core/options.js';
import { checkPageLimit } from '../../../ports/run-pages.js';
import type { OrphanPage, OrphanQuery } from '../../../ports/store.js';
import { recordRows, tablesOfRuns } from '../record-columns.js';
import { orphanPage, positionIn } from '../rows/listed-runs.js';
import { plainText } from '../rows/table-database.js';
import { type PruneOptions, pruneTable } from '../store-options.js';
import type { Database } from './database.js';
import { holderOf, type Lease, stateOf, type WriterOptions } from './run-writer.js';

const ofRuns = [...[recordRows, ...tablesOfRuns].map(({ name }) => name), 'runs', 'writers'];

export async function pruneRows(
  database: Database,
  options: PruneOptions,
  settings: Lease,
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
    const found: Readonly<Record<string, unknown>>[] = [];
    for (const row of running) {
      const holder = holderOf(tables, String(row['run_id']));
      if (isLeft(holder, settings, olderThanMs)) found.push({ ...row, epoch: holder?.epoch ?? 0 });
      if (found.length > limit) break;
    }
    return orphanPage(found, limit);
  });
}

/** Returns whether nobody holds a run any more, and nobody has for a while. */
function isLeft(
  holder: ReturnType<typeof holderOf>,
  settings: Lease,
  olderThanMs: number,
): boolean {
  if (holder === undefined) return true;
  return (
    stateOf(holder, settings) !== 'held' &&
    (holder.released_at ?? 0) <= settings.clock.now() - olderThanMs
  );
}
