import type { Pipeline } from '../../blocks/pipeline/pipeline-options.js';
import { isReviewError, ReviewLoopError } from '../../core/errors.js';
import { checkKeys, checkPlain, invalid } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { Clock } from '../../ports/clock.js';
import { checkRunId } from '../../ports/run-id.js';
import type { Store } from '../../ports/store.js';
import { enginesErrors } from './errors.js';
import { openedBy, recordedRun, whileKnown } from './record-answer.js';
import { pauseBefore } from './wake.js';

/** What one drive of a run came to. */
export type Driven =
  /** The run is over. */
  | {
      readonly state: 'ended';
      readonly status: string;
      readonly code: string;
      /** How the pipeline changed while the run waited, if it did. */
      readonly changed?: readonly string[] | undefined;
    }
  /** People are asked. Drive it again after an answer, and at `until`, when a question expires. */
  | {
      readonly state: 'waiting';
      readonly until?: string | undefined;
      readonly changed?: readonly string[] | undefined;
    }
  /** Nothing is lost, but somebody has to drive it again, after a pause. */
  | { readonly state: 'again'; readonly code: string };

export type DrivenPipeline = Pick<Pipeline<never, unknown>, 'name' | 'hasWorkspace' | 'resume'>;

export interface DriveOptions {
  /** The store that all machines share. */
  readonly store: Store;
  /** The pipelines that this process has code for, by their names. */
  readonly pipelines: Readonly<Record<string, DrivenPipeline>>;
  /** Aborted when this process has to stop; the runs that it drives are then let go. @default none */
  readonly release?: AbortSignal | undefined;
}

export interface DriveOnce {
  /** Whether a run that ended is continued: one that failed tries again. @default false */
  readonly again?: boolean | undefined;
  /**
   * Cancels the run for good. Never pass the signal of an engine that only stops its worker: that
   * is `release`.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

/** What an engine calls, at least once for each wake-up. */
export type Drive = (runId: string, options?: DriveOnce) => Promise<Driven>;

/** Rejections and ends after which another try is right. */
const passing: ReadonlySet<string> = new Set([
  'run_busy',
  'store_busy',
  'workspace_busy',
  'journal_newer',
  'journal_fenced',
  'journal_write_failed',
  'released',
]);

/**
 * Returns a function that continues a run from its record until it ends, waits for a person, or
 * belongs to another worker. Any engine can call it, any number of times: the record decides what
 * is left to do.
 *
 * @throws ReviewLoopError `invalid_options`, `workspace_local`; the function rejects with
 *   `run_unknown` and `pipeline_unknown`
 * @example
 * ```ts
 * const drive = driveRun({ store, pipelines: { article } });
 * const driven = await drive('tea-1');
 * ```
 */
export function driveRun(options: DriveOptions): Drive {
  checkKeys('driveRun', options, ['store', 'pipelines', 'release']);
  const { store, pipelines, release } = options;
  checkPipelines(pipelines);
  const drive = async (runId: string, { again, signal }: DriveOnce): Promise<Driven> => {
    const { records, header } = await recordedRun(store, runId);
    const last = records.at(-1);
    if (hasEnded(last) && again !== true)
      return { state: 'ended', status: last.status, code: last.code };
    const pipeline = pipelines[header.pipeline];
    if (pipeline === undefined) throw unknownPipeline(runId, header.pipeline, pipelines);
    return drivenTo(await pipeline.resume(runId, { store, release, signal }));
  };
  return async (runId, once = {}) => {
    try {
      if (release?.aborted) return { state: 'again', code: 'released' };
      return await drive(runId, once);
    } catch (error) {
      if (!isReviewError(error) || !passing.has(error.code)) throw error;
      return { state: 'again', code: error.code };
    }
  };
}

function drivenTo(outcome: Outcome<unknown>): Driven {
  const { status, code, changed } = outcome;
  const more = changed !== undefined && { changed };
  if (outcome.status === 'failed' && passing.has(code)) return { state: 'again', code };
  if (outcome.status !== 'suspended') return { state: 'ended', status, code, ...more };
  const [until] = outcome.requests.flatMap(({ expiresAt }) => expiresAt ?? []).sort();
  return { state: 'waiting', ...(until !== undefined && { until }), ...more };
}

function checkPipelines(pipelines: DriveOptions['pipelines']): void {
  checkPlain('pipelines', pipelines);
  for (const [name, pipeline] of Object.entries(pipelines)) {
    if (typeof pipeline?.resume !== 'function')
      throw invalid(`pipelines.${name}`, 'a pipeline of definePipeline', pipeline);
    if (pipeline.name !== name)
      throw invalid(`pipelines.${name}`, `a pipeline with the name '${name}'`, pipeline.name);
    if (pipeline.hasWorkspace)
      throw new ReviewLoopError(
        enginesErrors.workspace_local,
        `pipeline ${name} has a workspace, which only one machine has`,
        { value: name },
      );
  }
}

function unknownPipeline(runId: string, name: string, pipelines: object): ReviewLoopError {
  const known = Object.keys(pipelines).join(', ');
  return new ReviewLoopError(
    enginesErrors.pipeline_unknown,
    `run ${runId} belongs to pipeline ${name}; this process has ${known}`,
    { value: name },
  );
}

export interface CancelOptions {
  /** Source of time. @default the system clock */
  readonly clock?: Clock | undefined;
  /** How long to wait while a worker has the run open, in milliseconds. @default 10000 */
  readonly patienceMs?: number | undefined;
}

/**
 * Ends a run as `cancelled` that waits or has not begun. A run that has ended stays as it is.
 *
 * @throws ReviewLoopError `run_unknown`, `run_busy` while a worker works on it
 * @example
 * ```ts
 * const { cancelled } = await cancelRun(store, 'tea-1');
 * ```
 */
export async function cancelRun(
  store: Store,
  runId: string,
  options: CancelOptions = {},
): Promise<{ readonly cancelled: boolean }> {
  checkRunId(runId);
  const { clock, patienceMs } = openedBy(options);
  return whileKnown(store, { runId, clock, patienceMs }, async (journal) => {
    if (hasEnded(journal.records.at(-1))) return { cancelled: false };
    await journal.append({ type: 'end', status: 'cancelled', code: 'cancelled', at: clock.now() });
    return { cancelled: true };
  });
}

function hasEnded<Last extends { readonly type: string }>(
  last: Last | undefined,
): last is Extract<Last, { readonly type: 'end' }> {
  return last?.type === 'end' && 'status' in last && last.status !== 'suspended';
}

export interface WakeSteps {
  drive(attempt: number): PromiseLike<Driven>;
  sleep(ms: number): PromiseLike<unknown>;
  /** Wakes the run on another worker, after a moment. */
  handOn(): PromiseLike<unknown>;
  wakeAt(until: string): PromiseLike<unknown>;
}

/** Until it ends, waits for a person, or this worker stops. */
export async function wakeRun(steps: WakeSteps): Promise<Driven> {
  for (let attempt = 0; ; attempt += 1) {
    const driven = await steps.drive(attempt);
    if (driven.state === 'ended') return driven;
    if (driven.state === 'waiting') {
      if (driven.until !== undefined) await steps.wakeAt(driven.until);
      return driven;
    }
    if (driven.code === 'released') {
      await steps.handOn();
      return driven;
    }
    await steps.sleep(pauseBefore(attempt));
  }
}
