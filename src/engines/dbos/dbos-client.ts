import { checkKeys } from '../../core/options.js';
import type { Store } from '../../ports/store.js';
import { clientOver, type EngineClient } from '../client.js';
import { type DbosClientApi, statusOnly, wakeId, wakeOf, workflowName } from './dbos-api.js';

export interface DbosClientOptions {
  /** The store that the workers use. */
  readonly store: Store;
  /** The begin of the names of the queues. @default 'reviewloop' */
  readonly queue?: string | undefined;
}

/**
 * Creates a client that starts, answers and cancels runs from any process, for example a web
 * server. It needs no code of the pipelines.
 *
 * @param client - A `DBOSClient` on the database of the workers.
 * @example
 * ```ts
 * const client = dbosClient(await DBOSClient.create({ systemDatabaseUrl }), { store });
 * await client.start('article', 'tea', { runId: 'tea-1' });
 * ```
 */
export function dbosClient(client: DbosClientApi, options: DbosClientOptions): EngineClient {
  checkKeys('dbosClient', options, ['store', 'queue']);
  const { store, queue = 'reviewloop' } = options;
  const over = clientOver(store, async ({ runId, pipeline, why, again = false }) => {
    const workflowID = wakeId(queue, runId, why);
    await client.enqueue(wakeOf(queue, pipeline, { workflowID }), runId, again);
  });
  return {
    ...over,
    cancel: async (runId, options) => {
      const waiting = await client.listWorkflows({
        workflow_id_prefix: wakeId(queue, runId, ''),
        workflowName,
        status: ['PENDING', 'ENQUEUED', 'DELAYED'],
        ...statusOnly,
      });
      // a worker that drives the run is told by DBOS, and records the end itself
      if (waiting.length > 0) await client.cancelWorkflows(waiting.map((one) => one.workflowID));
      return over.cancel(runId, options);
    },
  };
}
