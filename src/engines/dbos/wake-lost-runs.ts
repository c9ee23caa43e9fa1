import { lostRuns, type SharedStore } from '../wake.js';
import { type DbosApi, statusOnly, wakeId, wakeOf } from './dbos-api.js';

/** Where lost runs are looked for, and how they are woken. */
interface Lost {
  readonly store: SharedStore;
  /** The begin of the names of the queues. */
  readonly queue: string;
  /** How long nothing was recorded, in milliseconds. */
  readonly lostAfterMs: number;
  readonly now: number;
}

/**
 * Wakes the runs that nobody continues. DBOS takes an id once: if the wake-up of an earlier sweep
 * left its queue and did not help, this one gets an id with its time.
 */
export async function wakeLostRuns(
  dbos: Pick<DbosApi, 'listWorkflows' | 'enqueueWorkflowWithOptions'>,
  { store, queue, lostAfterMs, now }: Lost,
): Promise<void> {
  const wakes = (await lostRuns(store, { olderThanMs: lostAfterMs, now })).map((run) => ({
    ...run,
    id: wakeId(queue, run.runId, `orphan:${run.epoch}`),
  }));
  if (wakes.length === 0) return;
  const workflowIDs = wakes.map(({ id }) => id);
  const before = await dbos.listWorkflows({ workflowIDs, ...statusOnly });
  const statuses = new Map(before.map(({ workflowID, status }) => [workflowID, status]));
  const period = Math.floor(now / lostAfterMs);
  for (const { id, runId, pipeline } of wakes) {
    const status = statuses.get(id);
    if (status === 'ENQUEUED') continue;
    const workflowID = status === undefined ? id : `${id}:${period}`;
    await dbos.enqueueWorkflowWithOptions(wakeOf(queue, pipeline, { workflowID }), runId);
  }
}
