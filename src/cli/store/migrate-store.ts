import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { openShared } from '../../cli-kit/shared-store.js';
import { sharedIn, storeFolder } from '../../cli-kit/store-folder.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';
import type { migrateFlags } from './store-flags.js';

/** Says which version the tables of a database have; opening it has created those that lacked. */
export async function migrateStore(
  io: Io,
  { store, format }: SettingsOf<typeof migrateFlags>,
): Promise<number> {
  const shared = sharedIn(storeFolder(store));
  if (shared === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `only databases at an address are migrated by hand, got ${store}; others are when they are opened`,
    );
  const { database } = openShared(shared);
  const [row] = await database.ask(`SELECT version FROM ${database.schema}.reviewloop_version`);
  const tables = Number(row?.['version']);
  await io.out(
    format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, store: shared.name, tables })}\n`
      : `${shared.name} has schema version ${tables}\n`,
  );
  return 0;
}
