import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import type { HumanAnswer } from '../../core/human.js';
import { copyJson, digestJson } from '../../core/json.js';
import { mapBounded } from '../../core/map-bounded.js';
import { checkKeys, invalid } from '../../core/options.js';
import type { RequestReference } from '../../engine/human-answers.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { type Random, systemRandom } from '../../ports/random.js';
import { checkRunId } from '../../ports/run-id.js';
import type { Store } from '../../ports/store.js';
import { type CancelOptions, cancelRun } from './drive-run.js';
import { enginesErrors } from './errors.js';
import { type RecordOptions, recordAnswer, recordedRun, withRun } from './record-answer.js';
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
      const { records, header } = await recordedRun(store, runId);
      const why = `again:${records.length}`;
      await woken({ runId, pipeline: header.pipeline, why, again: true });
    },
  };
}

export interface NewRun {
  /** The name of the pipeline that is to do it. */
  readonly pipeline: string;
  /** The id of the run; 1 to 200 letters, digits and . : @ _ -. */
  readonly runId: string;
  /** JSON data. The pipeline checks it when the run begins. */
  readonly task: unknown;
  /** Source of time. @default the system clock */
  readonly clock?: Clock | undefined;
  /** Source of nonces. @default random UUIDs */
  readonly random?: Random | undefined;
}

/**
 * Records a run that has not begun, without code of its pipeline. `pipeline.resume` begins it.
 * Creating it again with the same task changes nothing.
 *
 * @throws ReviewLoopError `invalid_options`, `not_json`, `run_conflict` if the run exists with
 *   another task or pipeline
 * @example
 * ```ts
 * await createRun(store, { pipeline: 'article', runId: 'tea-1', task: 'tea' });
 * ```
 */
export async function createRun(store: Store, run: NewRun): Promise<{ readonly created: boolean }> {
  checkKeys('createRun', run, ['pipeline', 'runId', 'task', 'clock', 'random']);
  const { pipeline, runId, clock = systemClock, random = systemRandom } = run;
  if (typeof pipeline !== 'string' || pipeline === '')
    throw invalid('pipeline', 'the name of a pipeline', pipeline);
  checkRunId(runId);
  const task = copyJson(run.task === undefined ? null : run.task, { freeze: true });
  const taskDigest = digestJson(task);
  const isKnown = (header: unknown): boolean => {
    if (!isHeader(header)) return false;
    if (header.taskDigest === taskDigest && header.pipeline === pipeline) return true;
    throw new ReviewLoopError(
      'run_conflict',
      `run ${runId} was started by pipeline ${header.pipeline} with another task or name`,
      { value: runId },
    );
  };
  try {
    return await withRun(store, { runId, clock, patienceMs: 0 }, async (journal) => {
      if (isKnown(journal.header)) return { created: false };
      const nonce = random.nonce();
      const at = clock.now();
      await journal.append({
        type: 'run',
        schema: 1,
        runId,
        pipeline,
        taskDigest,
        task,
        nonce,
        at,
      });
      return { created: true };
    });
  } catch (error) {
    // a worker may have begun it already
    if (!isReviewError(error) || error.code !== 'run_busy') throw error;
    if (isKnown((await store.read(runId))?.[0])) return { created: false };
    throw error;
  }
}

function isHeader(
  record: unknown,
): record is { readonly taskDigest: string; readonly pipeline: string } {
  return typeof record === 'object' && record !== null && 'taskDigest' in record;
}
