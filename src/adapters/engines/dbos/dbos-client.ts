import { checkKeys } from '../../../core/options.js';
import type { Store } from '../../../ports/store.js';
import { clientOver, type EngineClient } from '../client.js';

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

export interface DbosStatus {
  readonly workflowID: string;
  readonly status: string;
  readonly queueName?: string | undefined;
}

export interface DbosQuery {
  workflowIDs?: string[];
  executorId?: string;
  workflow_id_prefix?: string;
  workflowName?: string;
  status?: ('PENDING' | 'ENQUEUED' | 'DELAYED')[];
  loadInput?: boolean;
  loadOutput?: boolean;
}

export interface DbosEnqueue {
  queueName: string;
  workflowName: string;
  workflowID?: string;
  appVersion: string;
  delaySeconds?: number;
}

export interface DbosLimits {
  /** The most runs that one worker drives at a time. @default unlimited */
  workerConcurrency?: number;
  /** The most runs that all workers drive at a time. @default unlimited */
  globalConcurrency?: number;
  /** The most drives that begin in a period. @default unlimited */
  rateLimit?: { limitPerPeriod: number; periodSec: number };
}

export interface DbosApi {
  setConfig(config: {
    name: string;
    executorID?: string;
    applicationVersion?: string;
    listenQueues?: string[];
    systemDatabaseUrl?: string;
  }): void;
  launch(): Promise<void>;
  shutdown(options?: { workflowCompletionTimeoutMS?: number }): Promise<void>;
  registerWorkflow(
    work: (runId: string, again?: boolean) => Promise<unknown>,
    config?: { name: string; maxRecoveryAttempts?: number },
  ): unknown;
  registerQueue(
    name: string,
    options?: DbosLimits & { minPollingIntervalMs?: number; onConflict?: 'always_update' },
  ): Promise<unknown>;
  runStep<Value>(
    work: () => Promise<Value>,
    config?: { name?: string; retriesAllowed?: boolean; maxAttempts?: number },
  ): Promise<Value>;
  sleep(ms: number): Promise<void>;
  /** Returns the time in milliseconds since 1970. */
  now(): Promise<number>;
  /** Enqueues a workflow from within one. */
  enqueueWorkflowWithOptions(options: DbosEnqueue, ...args: unknown[]): Promise<unknown>;
  listWorkflows(query: DbosQuery): Promise<DbosStatus[]>;
  /** Hands workflows on to other workers. */
  resumeWorkflows(ids: string[], options?: { queueName?: string }): Promise<unknown>;
  readonly stepStatus: { readonly cancelSignal?: AbortSignal } | undefined;
}

export interface DbosClientApi {
  enqueue(options: DbosEnqueue, ...args: unknown[]): Promise<unknown>;
  listWorkflows(query: DbosQuery): Promise<DbosStatus[]>;
  cancelWorkflows(ids: string[]): Promise<unknown>;
}

/** The name of the only workflow. */
export const workflowName = 'reviewloop.drive';

/**
 * The version of all workflows. The default of DBOS is a hash of the code, and a worker takes only
 * workflows of its own version: what queues would be left behind by each deploy.
 */
export const appVersion = 'reviewloop-1';

export const statusOnly = { loadInput: false, loadOutput: false } as const;

/** A worker listens to the queues of the pipelines that it has code for. */
export function queueOf(prefix: string, pipeline: string): string {
  return `${prefix}.${pipeline}`;
}

export function wakeOf(
  prefix: string,
  pipeline: string,
  how: Pick<DbosEnqueue, 'workflowID' | 'delaySeconds'>,
): DbosEnqueue {
  return { queueName: queueOf(prefix, pipeline), workflowName, appVersion, ...how };
}

/**
 * Contains the prefix of the queues: two stores may have runs of one name, and DBOS takes an id
 * once.
 */
export function wakeId(prefix: string, runId: string, why: string): string {
  return `${prefix}/${runId}/${why}`;
}
