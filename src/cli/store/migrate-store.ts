import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';
import type { migrateFlags } from './store-flags.js';

/** Says which version the tables of a database have; opening it has created those that lacked. */
export async function migrateStore(
  { io, store }: StoredCall,
  { format }: SettingsOf<typeof migrateFlags>,
): Promise<number> {
  const { database, auditPlace: name } = store;
  if (database === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `only databases at an address are migrated by hand, got ${store.text}; others are when they are opened`,
    );
  const [row] = await database.ask(`SELECT version FROM ${database.schema}.reviewloop_version`);
  const tables = Number(row?.['version']);
  await io.out(
    format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, store: name, tables })}\n`
      : `${name} has schema version ${tables}\n`,
  );
  return 0;
}
