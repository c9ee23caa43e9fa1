import { isReviewError, ReviewLoopError } from '../core/errors.js';
import { copyJson, digestJson } from '../core/json.js';
import { checkKeys, invalid } from '../core/options.js';
import { checkRunId } from '../engine/run-options.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { type Random, systemRandom } from '../ports/random.js';
import type { Store } from '../ports/store.js';
import { withRun } from './open-run.js';

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
