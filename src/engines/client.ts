import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer } from '../core/human.js';
import { mapBounded } from '../core/map-bounded.js';
import { engineErrors } from '../engine/errors.js';
import type { RequestReference } from '../engine/human-answers.js';
import type { Store } from '../ports/store.js';
import { type CancelOptions, cancelRun } from './cancel-run.js';
import { createRun } from './create-run.js';
import { enginesErrors } from './errors.js';
import { type RecordOptions, recordAnswer } from './record-answer.js';
import type { WakeUp } from './wake.js';

/** Starts, answers and ends runs from any process, without code of their pipelines. */
export interface EngineClient {
  /** Creates a run and wakes it. Starting it again with the same task changes nothing. */
  readonly start: (
    pipeline: string,
    task: unknown,
    run: { readonly runId: string },
  ) => Promise<{ readonly created: boolean }>;
  /** Starts many runs, 16 at a time. Returns how many of them are new. */
  readonly startAll: (
    pipeline: string,
    runs: Iterable<{ readonly runId: string; readonly task: unknown }>,
  ) => Promise<number>;
  /** Records an answer, and wakes the run. */
  readonly answer: (
    request: RequestReference,
    answer: HumanAnswer,
    options?: RecordOptions,
  ) => Promise<void>;
  /** Ends a run that waits or has not begun as `cancelled`. */
  readonly cancel: (
    runId: string,
    options?: CancelOptions,
  ) => Promise<{ readonly cancelled: boolean }>;
  /** Drives a run again that failed or was cancelled: what is recorded is replayed. */
  readonly retry: (runId: string) => Promise<void>;
}

/** How many runs `startAll` starts at a time. */
const width = 16;

/** Creates a client over a store and the way in which an engine is woken. */
export function clientOver(store: Store, wake: (up: WakeUp) => Promise<void>): EngineClient {
  const woken = async (up: WakeUp): Promise<void> => {
    try {
      await wake(up);
    } catch (error) {
      throw new ReviewLoopError(
        enginesErrors.wake_failed,
        `the engine was not told of run ${up.runId} (${up.why}): ${messageOf(error)}`,
        { cause: error, retryable: true, value: up.runId },
      );
    }
  };
  const start: EngineClient['start'] = async (pipeline, task, { runId }) => {
    const { created } = await createRun(store, { pipeline, runId, task });
    await woken({ runId, pipeline, why: 'start' });
    return { created };
  };
  return {
    start,
    startAll: async (pipeline, runs) => {
      const started = await mapBounded([...runs], width, ({ runId, task }) =>
        start(pipeline, task, { runId }),
      );
      return started.filter(({ created }) => created).length;
    },
    answer: async (request, answer, options) => {
      const { pipeline } = await recordAnswer(store, request, answer, options);
      await woken({ runId: request.runId, pipeline, why: request.id });
    },
    cancel: (runId, options) => cancelRun(store, runId, options),
    retry: async (runId) => {
      const records = await store.read(runId);
      const header = records?.[0];
      if (header?.type !== 'run')
        throw new ReviewLoopError(engineErrors.run_unknown, `the store has no run ${runId}`);
      const why = `again:${records?.length}`;
      await woken({ runId, pipeline: header.pipeline, why, again: true });
    },
  };
}
