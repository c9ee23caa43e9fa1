import { namesAddress } from './names-address.js';

/**
 * Runs a command with its settings. If `--store` names a database, that is opened first, so that an
 * unusable one stops the command before any work; and the settings name it without its password.
 */
export async function withStore<Settings extends object>(
  settings: Settings,
  run: (settings: Settings) => Promise<number>,
): Promise<number> {
  const store = 'store' in settings ? settings.store : undefined;
  if (typeof store !== 'string' || !namesAddress(store)) return run(settings);
  const { closeShared, prepareShared } = await import('./shared-store.js');
  try {
    return await run({ ...settings, store: await prepareShared(store) });
  } finally {
    await closeShared();
  }
}
