import { join } from 'node:path';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { versionOf } from '../../cli-kit/package-file.js';
import { gateOf } from '../command/gate-of.js';
import { serveGate } from './gate-server.js';
import type { mcpFlags } from './mcp-flags.js';
import { runResources } from './run-resources.js';

/** Serves a quality gate until the client disconnects, and returns the exit code. */
export async function serveMcp(
  { io, entry, store }: StoredCall,
  settings: SettingsOf<typeof mcpFlags>,
): Promise<number> {
  const { verified, maxAttempts, maxInlineFiles: selfReviewInlineFiles } = settings;
  const gate = await gateOf(io, settings);
  await store.prepare();
  const served = await serveGate({
    gate,
    folder: join(store.local(io.cwd), 'gates'),
    verified,
    maxAttempts,
    selfReviewInlineFiles,
    audit: store.audit,
    version: await versionOf(entry),
    resources: runResources(store),
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
