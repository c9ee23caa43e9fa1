import { join } from 'node:path';
import { plural } from '../../../core/plural.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import { allRuns } from '../../cli-kit/reports/find-stored.js';
import type { migrateFlags, pruneFlags } from './store-flags.js';

export async function pruneStore(
  { io, store }: StoredCall,
  { olderThan, keep, format }: SettingsOf<typeof pruneFlags>,
): Promise<number> {
  // a run that is removed names its pipeline no more
  const stored = new Map((await allRuns(store)).map((run) => [run.runId, run.pipeline]));
  const runs = await store.prune({ olderThanMs: olderThan, ...(keep !== undefined && { keep }) });
  for (const runId of runs) await store.files.remove(join('runs', runId));
  const verdicts = await store.pruneVerdicts({ olderThanMs: olderThan });
  const pipelines = countsOf(runs.map((runId) => stored.get(runId) ?? 'unknown'));
  const lines = [
    `removed ${plural(runs.length, 'run')} and ${plural(verdicts, 'verdict')}`,
    ...Object.entries(pipelines).map(
      ([name, count]) => `  ${oneLine(name)}: ${plural(count, 'run')}`,
    ),
  ];
  return tell(io, format, { data: { runs, pipelines, verdicts }, lines });
}

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of [...names].sort()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Only says which version the tables have: opening the database has created those that lacked. */
export async function migrateStore(
  { io, store }: StoredCall,
  { format }: SettingsOf<typeof migrateFlags>,
): Promise<number> {
  const { database, auditPlace: name } = store;
  if (database === undefined)
    throw usageError(
      `only databases at an address are migrated by hand, got ${store.text}; others are when they are opened`,
    );
  const [row] = await database.ask(`SELECT version FROM ${database.schema}.reviewloop_version`);
  const tables = Number(row?.['version']);
  const lines = [`${name} has schema version ${tables}`];
  return tell(io, format, { data: { store: name, tables }, lines });
}
