import { join } from 'node:path';
import { answeredElsewhere } from '../../cli-kit/reports/find-stored.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { InboxSource } from '../../inbox/index.js';
import { waitingRequests } from '../../inbox/list-requests.js';
import type { StoreFiles } from '../../node/store-file.js';
import { systemClock } from '../../ports/clock.js';
import { waitingIn } from '../../ports/waiting-runs.js';
import { storedReport } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { isTaskRun } from '../../task-review/command/task-record.js';
import type { GateResource } from './gate-resource.js';

/** How many waiting runs the list of questions shows. */
const most = 50;

/** Returns what a client can read of the runs of a store. */
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
    /** Whether more runs wait than are listed. */
    more: next !== undefined,
  };
}

/** Returns the report that was stored last. Runs that have none yet are passed over. */
export async function newestReport(files: StoreFiles): Promise<RunReport | undefined> {
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
