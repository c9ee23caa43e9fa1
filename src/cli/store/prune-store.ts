import { join, resolve } from 'node:path';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { openStores } from '../../cli-kit/run-stores.js';
import { storeFolder } from '../../cli-kit/store-folder.js';
import { plural } from '../../core/plural.js';
import { removeFromStore } from '../../node/store-file.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';
import type { pruneFlags } from './store-flags.js';

/** Removes old runs and verdicts, and returns the exit code. */
export async function pruneStore(
  io: Io,
  { store, olderThan, keep, format }: SettingsOf<typeof pruneFlags>,
): Promise<number> {
  const folder = resolve(io.cwd, storeFolder(store));
  const { prune, pruneVerdicts } = openStores(folder);
  const runs = await prune({ olderThanMs: olderThan, ...(keep !== undefined && { keep }) });
  for (const runId of runs) await removeFromStore(join(folder, 'runs', runId));
  const verdicts = await pruneVerdicts({ olderThanMs: olderThan });
  await io.out(
    format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, runs, verdicts })}\n`
      : `removed ${plural(runs.length, 'run')} and ${plural(verdicts, 'verdict')}\n`,
  );
  return 0;
}
