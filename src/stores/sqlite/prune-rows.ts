import { checkAge, checkKeys, checkWhole } from '../../core/options.js';
import type { Clock } from '../../ports/clock.js';
import type { PruneOptions } from '../file/prune-runs.js';
import { plainText } from '../plain-text.js';
import type { Database } from './database.js';
import { holderOf, stateOf } from './run-writer.js';

/** Tables whose rows are removed with their run. */
const runTables = [
  'records',
  'steps',
  'questions',
  'answers',
  'reviews',
  'assessments',
  'gaps',
  'runs',
  'writers',
];

/** Options to find out whether a run has a writer. */
export interface PruneSettings {
  readonly clock: Clock;
  /** Lease timeout of writers, in milliseconds. */
  readonly patienceMs: number;
}

/** Removes ended runs and returns their ids. Running, suspended and open runs stay. */
export async function pruneRows(
  database: Database,
  options: PruneOptions,
  settings: PruneSettings,
): Promise<readonly string[]> {
  checkKeys('prune', options, ['olderThanMs', 'keep', 'clock']);
  const { olderThanMs, keep = 0, clock = settings.clock } = options;
  checkAge('olderThanMs', olderThanMs);
  checkWhole('keep', keep, 0);
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
      for (const table of runTables) tables.run(`DELETE FROM ${table} WHERE run_id = ?`, runId);
    return free;
  });
}
