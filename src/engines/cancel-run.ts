import { checkRunId } from '../engine/run-options.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import { openedBy, whileKnown } from './record-answer.js';

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

/** Returns whether the last record of a run is an end that no answer followed. */
export function hasEnded<Last extends { readonly type: string }>(
  last: Last | undefined,
): last is Extract<Last, { readonly type: 'end' }> {
  return last?.type === 'end' && 'status' in last && last.status !== 'suspended';
}
