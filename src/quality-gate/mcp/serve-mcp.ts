import { join } from 'node:path';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { versionOf } from '../../cli-kit/package-file.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { gateOf } from '../command/gate-of.js';
import { serveGate } from './gate-server.js';
import type { mcpFlags } from './mcp-flags.js';
import type { ClientAnswer, PeopleOptions } from './people-tools.js';
import { newestReport, runResources } from './run-resources.js';

/** Answers a run, as `reviewloop answer` does. */
export type AnswerByClient = (call: StoredCall, answer: ClientAnswer) => Promise<number>;

/** Serves a quality gate until the client disconnects, and returns the exit code. */
export async function serveMcp(
  call: StoredCall,
  settings: SettingsOf<typeof mcpFlags>,
  answer: AnswerByClient,
): Promise<number> {
  const { io, entry, store } = call;
  const { trustClient, verified, maxAttempts, maxInlineFiles: selfReviewInlineFiles } = settings;
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
    people: peopleOf(call, { trustClient, answer }),
  });
  try {
    await Promise.race([clientGone(io), served.failed]);
  } finally {
    await served.close();
  }
  return 0;
}

function peopleOf(
  call: StoredCall,
  { trustClient, answer }: { readonly trustClient: boolean; readonly answer: AnswerByClient },
): PeopleOptions {
  const { store } = call;
  return {
    trustClient,
    report: (id) => (id === undefined ? newestReport(store.files) : findReviewed(store, id)),
    answer: async (given) => {
      if (trustClient) return void (await answer(call, given));
      // a client or a hook of it can answer without a person
      const { runId, version, by, decisions, reason } = given;
      await store.audit.record({
        ...{ kind: 'mcp.answer', who: by, version, verdict: 'undecided' },
        decision: `not counted: ${decisions.join(' ')}`,
        reason: reason || 'said by a client that is not trusted',
        details: { runId },
      });
    },
  };
}

/** Waits until the client disconnects, or the user ends the command. */
async function clientGone({ signal }: Io): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
