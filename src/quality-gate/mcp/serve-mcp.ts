import { join, resolve } from 'node:path';
import type { CommandCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { versionOf } from '../../cli-kit/package-file.js';
import { openStores, prepareRuns } from '../../cli-kit/run-stores.js';
import { localFolder, storeFolder } from '../../cli-kit/store-folder.js';
import { gateOf } from '../command/gate-of.js';
import { serveGate } from './gate-server.js';
import type { mcpFlags } from './mcp-flags.js';
import { runResources } from './run-resources.js';

/** Serves a quality gate until the client disconnects, and returns the exit code. */
export async function serveMcp(
  { io, entry }: CommandCall,
  settings: SettingsOf<typeof mcpFlags>,
): Promise<number> {
  const { verified, maxAttempts, maxInlineFiles: selfReviewInlineFiles, store } = settings;
  const folder = resolve(io.cwd, storeFolder(store));
  const gate = await gateOf(io, settings);
  await prepareRuns(folder);
  const served = await serveGate({
    gate,
    folder: join(localFolder(folder, io.cwd), 'gates'),
    verified,
    maxAttempts,
    selfReviewInlineFiles,
    audit: openStores(folder).audit,
    version: await versionOf(entry),
    resources: runResources(folder),
  });
  try {
    await Promise.race([clientGone(io), served.failed]);
  } finally {
    await served.close();
  }
  return 0;
}

/** Waits until the client disconnects, or the user ends the command. */
async function clientGone({ signal }: Io): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
