import { join } from 'node:path';
import type { StoreFiles } from '../../node/store-file.js';
import { systemClock } from '../../ports/clock.js';
import { waitingIn } from '../../ports/waiting-runs.js';
import type { StoredCall } from '../cli-kit/flags/command.js';
import type { SettingsOf } from '../cli-kit/flags/flag.js';
import type { Io } from '../cli-kit/io.js';
import { versionOf } from '../cli-kit/package-file.js';
import { answeredElsewhere, findReviewed } from '../cli-kit/reports/find-stored.js';
import type { StoreHandle } from '../cli-kit/store-handle.js';
import { gateOf } from '../commands/quality-gate/gate-of.js';
import { isTaskRun } from '../commands/task-review/task-record.js';
import type { InboxSource } from '../inbox/index.js';
import { waitingRequests } from '../inbox/list-requests.js';
import { storedReport } from '../reports/run-folder.js';
import type { RunReport } from '../reports/run-report.js';
import type { GateResource } from './gate-server.js';
import { serveGate } from './gate-server.js';
import type { mcpFlags } from './mcp-flags.js';
import type { ClientAnswer, PeopleOptions } from './people-tools.js';

/** Answers as `reviewloop answer` does. */
export type AnswerByClient = (call: StoredCall, answer: ClientAnswer) => Promise<number>;

/** Serves until the client disconnects; returns the exit code. */
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
    people: { ...peopleOf(call, { trustClient, answer }), inbox: settings.inbox },
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

/** Ends too when the user ends the command. */
async function clientGone({ signal }: Io): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const most = 50;

export function runResources(store: StoreHandle): readonly GateResource[] {
  return [
    {
      uri: 'reviewloop://questions',
      name: 'questions',
      description:
        'The questions of suspended runs, newest first, without secrets. A person answers them in ' +
        'a terminal of their own. One of a pipeline of code says `elsewhere` where it is answered.',
      read: () => questionsOf(store),
    },
    {
      uri: 'reviewloop://reports/last',
      name: 'last-report',
      description:
        'The report of the run that was stored last, without secrets: status, gaps, what is ' +
        'undecided, and what each judge did. `null` without a run.',
      read: async () => (await newestReport(store.files)) ?? null,
    },
  ];
}

async function questionsOf({ files, runs: records }: StoreHandle): Promise<object> {
  const { runs, next } = await waitingIn(records, { limit: most });
  const now = systemClock.now();
  const elsewhere: InboxSource['elsewhere'] = (run) =>
    answeredElsewhere(files, run, (runId) => isTaskRun(files, runId));
  const requests = await Promise.all(runs.map((run) => waitingRequests(run, { now, elsewhere })));
  return {
    schemaVersion: 1,
    requests: requests.flat(),
    more: next !== undefined,
  };
}

/** Runs that have none yet are passed over. */
async function newestReport(files: StoreFiles): Promise<RunReport | undefined> {
  const ids = await files.list('runs').catch(() => []);
  const dated = await Promise.all(
    ids.map(async (id) => ({
      id,
      at: (await files.changedAt(join('runs', id, 'review.json'))) ?? 0,
    })),
  );
  for (const { id } of dated.filter(({ at }) => at > 0).sort((a, b) => b.at - a.at)) {
    const report = await storedReport(files, id);
    if (report !== undefined) return report;
  }
  return undefined;
}
