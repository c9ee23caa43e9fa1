import { checkKeys, checkPlain, checkPositive, invalid } from '../../../core/options.js';
import { systemRandom } from '../../../ports/random.js';
import {
  type Drive,
  type Driven,
  type DriveOptions,
  driveRun,
  type WakeSteps,
  wakeRun,
} from '../drive-run.js';
import {
  checkSweep,
  handOnDead,
  lostRuns,
  type SharedStore,
  type SweepOptions,
  sweeping,
  sweepKeys,
} from '../wake.js';
import {
  appVersion,
  type DbosApi,
  type DbosLimits,
  queueOf,
  statusOnly,
  wakeId,
  wakeOf,
  workflowName,
} from './dbos-client.js';

export interface DbosWorkerOptions
  extends Pick<DriveOptions, 'pipelines'>,
    DbosLimits,
    SweepOptions {
  /** The store that all workers share. */
  readonly store: SharedStore;
  /** The begin of the names of the queues; each pipeline has one. @default 'reviewloop' */
  readonly queue?: string | undefined;
  /** How long `stop` waits for the calls that are out, in milliseconds. @default 30000 */
  readonly stopMs?: number | undefined;
  /** Further configuration of DBOS, such as `systemDatabaseUrl`. @default that of DBOS */
  readonly config?: object | undefined;
}

const ownKeys = ['store', 'pipelines', 'queue', 'stopMs', 'config'];
const limitKeys = ['workerConcurrency', 'globalConcurrency', 'rateLimit'];

/** A worker of DBOS. */
export interface DbosWorker {
  /** Lets go of the runs of this worker, so that others continue them at once, and shuts DBOS down. */
  readonly stop: () => Promise<void>;
}

/**
 * Makes this process a worker that drives runs with DBOS, and launches DBOS. Each wake-up is one
 * short workflow; a run that waits for a person is none. What is paid for stands in the store.
 *
 * @param dbos - `DBOS` of `@dbos-inc/dbos-sdk`.
 * @throws ReviewLoopError `invalid_options`, `workspace_local`
 * @example
 * ```ts
 * const worker = await serveWithDbos(DBOS, {
 *   store,
 *   pipelines: { article },
 *   config: { systemDatabaseUrl: process.env.DATABASE_URL },
 * });
 * process.once('SIGTERM', () => worker.stop());
 * ```
 */
export async function serveWithDbos(
  dbos: DbosApi,
  options: DbosWorkerOptions,
): Promise<DbosWorker> {
  checkKeys('serveWithDbos', options, [...ownKeys, ...limitKeys, ...sweepKeys]);
  const { store, pipelines, queue = 'reviewloop', stopMs = 30_000, config = {} } = options;
  checkPositive('stopMs', stopMs);
  checkSweep(options);
  const limits = Object.fromEntries(
    Object.entries(options).filter(([name]) => limitKeys.includes(name)),
  );
  const stopping = new AbortController();
  const drive = driveRun({ store, pipelines, release: stopping.signal });
  const queues = Object.keys(pipelines).map((name) => queueOf(queue, name));
  const running = new Set<Promise<Driven>>();
  const work = (runId: string, again = false): Promise<Driven> => {
    const steps = wakeSteps({ dbos, drive, queue, store }, runId, again);
    const performed = wakeRun(steps).finally(() => running.delete(performed));
    running.add(performed);
    return performed;
  };
  dbos.registerWorkflow(work, { name: workflowName, maxRecoveryAttempts: 1000 });
  dbos.setConfig(dbosConfig(config, store.worker, queues));
  // a worker that dies before it opens a run must be known, so that others take over its workflows
  await store.enlist?.();
  await dbos.launch();
  for (const name of queues)
    await dbos.registerQueue(name, {
      minPollingIntervalMs: 1000,
      ...limits,
      onConflict: 'always_update',
    });
  const sweep = sweeping(options, async ({ lostAfterMs, now }) => {
    await takeOver(dbos, store);
    await wakeLostRuns(dbos, { store, queue, lostAfterMs, now });
  });
  return {
    stop: async () => {
      stopping.abort(new Error('this worker stops'));
      await sweep.stop();
      await Promise.allSettled(running);
      await dbos.shutdown({ workflowCompletionTimeoutMS: stopMs });
    },
  };
}

interface Waking {
  readonly dbos: DbosApi;
  readonly drive: Drive;
  readonly store: SharedStore;
  readonly queue: string;
}

function wakeSteps(
  { dbos, drive, store, queue }: Waking,
  runId: string,
  again: boolean,
): WakeSteps {
  const enqueue = async (how: { workflowID?: string; delaySeconds: number }): Promise<void> => {
    const header = (await store.read(runId))?.[0];
    const pipeline = header?.type === 'run' ? header.pipeline : '';
    await dbos.enqueueWorkflowWithOptions(wakeOf(queue, pipeline, how), runId);
  };
  return {
    drive: (attempt) =>
      dbos.runStep(() => drive(runId, { again, signal: dbos.stepStatus?.cancelSignal }), {
        name: `drive:${attempt}`,
        retriesAllowed: true,
        maxAttempts: 5,
      }),
    sleep: (ms) => dbos.sleep(ms),
    handOn: () => enqueue({ delaySeconds: 1 }),
    wakeAt: async (until) => {
      const seconds = Math.ceil((Date.parse(until) - (await dbos.now())) / 1000) + 1;
      await enqueue({
        workflowID: wakeId(queue, runId, `until:${until}`),
        delaySeconds: Math.max(1, seconds),
      });
    },
  };
}

/**
 * That of the caller, with what workers need to find each other.
 *
 * @param worker - The id of this process in the store, if it has one.
 */
function dbosConfig(given: object, worker: string | undefined, queues: readonly string[]) {
  checkPlain('config', given);
  const settings = new Map<string, unknown>(Object.entries(given));
  const executorID = settings.get('executorID') ?? worker;
  if (executorID !== worker && worker !== undefined)
    throw invalid(
      'config.executorID',
      `left out: it is \`store.worker\` (${worker}), by which others find the work of a dead worker`,
      executorID,
    );
  const applicationVersion = settings.get('applicationVersion') ?? appVersion;
  if (applicationVersion !== appVersion)
    throw invalid(
      'config.applicationVersion',
      `left out: it is '${appVersion}', and a worker takes only workflows of its own version`,
      applicationVersion,
    );
  const others = settings.get('listenQueues') ?? [];
  if (!Array.isArray(others)) throw invalid('config.listenQueues', 'a list of queues', others);
  return {
    name: 'reviewloop',
    executorID: `reviewloop-${systemRandom.id()}`,
    ...given,
    ...(worker !== undefined && { executorID: worker }),
    applicationVersion,
    listenQueues: [...queues, ...others],
  };
}

interface Lost {
  readonly store: SharedStore;
  readonly queue: string;
  /** How long nothing was recorded, in milliseconds. */
  readonly lostAfterMs: number;
  readonly now: number;
}

/**
 * DBOS takes an id once: if the wake-up of an earlier sweep left its queue and did not help, this
 * one gets an id with its time.
 */
async function wakeLostRuns(
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

/** DBOS itself recovers only the workflows of its own executor id. */
function takeOver(
  dbos: Pick<DbosApi, 'listWorkflows' | 'resumeWorkflows'>,
  store: Pick<SharedStore, 'deadWorkers' | 'forgetWorkers'>,
): Promise<void> {
  return handOnDead(store, async (executorId) => {
    const query = { executorId, workflowName, ...statusOnly };
    const left = await dbos.listWorkflows({ ...query, status: ['PENDING'] });
    for (const queueName of new Set(left.map((one) => one.queueName))) {
      const ids = left.filter((one) => one.queueName === queueName).map((one) => one.workflowID);
      if (queueName !== undefined) await dbos.resumeWorkflows(ids, { queueName });
    }
  });
}
