import { checkKeys, checkPositive } from '../../../core/options.js';
import { type Drive, type DriveOptions, driveRun, type WakeSteps, wakeRun } from '../drive-run.js';
import { lostRuns, type SharedStore } from '../wake.js';
import {
  type MadeHandler,
  objectOf,
  type RestateApi,
  type RestateContext,
  type RestateHandler,
  type RestateHandlerOptions,
  type RestateSend,
  type RestateSharedContext,
} from './restate-client.js';

export interface RestateOptions extends DriveOptions {
  /** The store that all workers share. */
  readonly store: SharedStore;
  /** The begin of the names of the objects; each pipeline has one. @default 'reviewloop' */
  readonly name?: string | undefined;
  /** How often lost runs are looked for, in milliseconds. @default 60000 */
  readonly everyMs?: number | undefined;
}

const hour = 3_600_000;

/** A judge may think for long: Restate must not take a quiet handler for a dead one. */
const patient: RestateHandlerOptions = {
  inactivityTimeout: hour,
  abortTimeout: hour,
  journalRetention: 0,
  retryPolicy: { initialInterval: 200, maxInterval: 10_000 },
};

/**
 * Returns the services of a worker of Restate: an object for each pipeline, keyed by the run, and
 * the sweep. Each wake-up is one short invocation; a run that waits for a person is none. What is
 * paid for stands in the store.
 *
 * @param restate - The module `@restatedev/restate-sdk`.
 * @throws ReviewLoopError `invalid_options`, `workspace_local`
 * @example
 * ```ts
 * const stopping = new AbortController();
 * const services = restateServices(restate, {
 *   store,
 *   pipelines: { article },
 *   release: stopping.signal,
 * });
 * await restate.serve({ services, port: 9080 });
 * process.once('SIGTERM', () => stopping.abort());
 * ```
 */
export function restateServices<Service>(
  restate: RestateApi<Service>,
  options: RestateOptions,
): Service[] {
  checkKeys('restateServices', options, ['store', 'pipelines', 'release', 'name', 'everyMs']);
  const { store, pipelines, release, name = 'reviewloop', everyMs = 60_000 } = options;
  checkPositive('everyMs', everyMs);
  const drive = driveRun({ store, pipelines, release });
  const empty = { parameter: {}, inputSerde: restate.serde.json };
  const wake = (service: string, key: string) => ({ service, method: 'wake', key, ...empty });
  const exclusive = (work: RestateHandler): MadeHandler =>
    restate.handlers.object.exclusive(patient, work);
  const objects = Object.keys(pipelines).map((pipeline) => {
    const service = objectOf(name, pipeline);
    return restate.object({
      name: service,
      handlers: {
        wake: exclusive((context, input) =>
          cancellable(context, () =>
            wakeRun(
              wakeSteps(
                context,
                { wake: wake(service, context.key), drive },
                input?.again === true,
              ),
            ),
          ),
        ),
        cancel: restate.handlers.object.shared(patient, cancelWake),
      },
    });
  });
  const sweep = async (context: RestateContext): Promise<void> => {
    const now = await context.date.now();
    const slot = Math.floor(now / everyMs) + 1;
    const found = await context.run('look', () => lostRuns(store, { olderThanMs: everyMs, now }));
    for (const { runId, pipeline, epoch } of found)
      context.genericSend({
        ...wake(objectOf(name, pipeline), runId),
        idempotencyKey: `${runId}/orphan:${epoch}`,
      });
    context.genericSend({
      ...{ service: `${name}-sweep`, method: 'sweep', key: context.key, ...empty },
      delay: slot * everyMs - now,
      // however often the sweep was started, it is one
      idempotencyKey: `sweep:${slot}`,
    });
  };
  return [
    ...objects,
    restate.object({ name: `${name}-sweep`, handlers: { sweep: exclusive(sweep) } }),
  ];
}

const atWork = 'wake';

/** Lets `cancelWake` find an invocation while it works. */
async function cancellable<Value>(
  context: RestateContext,
  work: () => Promise<Value>,
): Promise<Value> {
  context.set(atWork, context.request().id);
  const value = await work();
  context.clear(atWork);
  return value;
}

async function cancelWake(context: RestateSharedContext): Promise<void> {
  const id = await context.get(atWork);
  if (typeof id === 'string') context.cancel(id);
}

interface Waking {
  readonly wake: RestateSend;
  readonly drive: Drive;
}

function wakeSteps(context: RestateContext, { wake, drive }: Waking, again: boolean): WakeSteps {
  const { key } = context;
  const later = (delay: number): void =>
    void context.genericSend({ ...wake, delay: Math.max(0, delay) });
  return {
    drive: async (attempt) => {
      const cancelled = new AbortController();
      const once = { again, signal: cancelled.signal };
      try {
        return await context.run(`drive:${attempt}`, () => drive(key, once), {
          initialRetryInterval: 200,
          maxRetryInterval: 5000,
        });
      } catch (error) {
        // nobody else cancels an invocation: Restate breaks others off without this error
        if (!(error instanceof Error) || error.name !== 'CancelledError') throw error;
        cancelled.abort(error);
        context.clear(atWork);
        throw error;
      }
    },
    sleep: (ms) => context.sleep(ms),
    handOn: async () => later(1000),
    wakeAt: async (until) => later(Date.parse(until) - (await context.date.now()) + 1000),
  };
}
