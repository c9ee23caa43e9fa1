import { messageOf } from '../../core/errors.js';
import { checkKeys, checkPositive } from '../../core/options.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import type { OrphanRun, Store } from '../../ports/store.js';

/** Asks an engine to drive a run. */
export interface WakeUp {
  readonly runId: string;
  /** The name of its pipeline. */
  readonly pipeline: string;
  /** Why: an engine drives a run once for each reason. */
  readonly why: string;
  /** Whether a run that ended is continued. */
  readonly again?: boolean | undefined;
}

/** What a store may know about the workers that share it. */
export interface SharedStore extends Store {
  readonly worker?: string | undefined;
  /** Begins the lease of this process, and renews it from then on. */
  readonly enlist?: (() => Promise<void>) | undefined;
  /** Returns the ids of workers whose lease is over. */
  readonly deadWorkers?: (() => Promise<readonly string[]>) | undefined;
  /** Forgets dead workers whose work was handed on. */
  readonly forgetWorkers?: ((ids: readonly string[]) => Promise<void>) | undefined;
}

const most = 1000;

/**
 * Returns runs whose wake-up was lost, or whose worker died. Waking one that is at work is harmless:
 * it meets `run_busy`.
 *
 * @param options - `olderThanMs`: how long nothing was recorded, so that runs that merely queue are
 *   left out; `now`: the present time, both in milliseconds.
 */
export async function lostRuns(
  store: SharedStore,
  options: { readonly olderThanMs: number; readonly now: number },
): Promise<readonly OrphanRun[]> {
  checkKeys('lostRuns', options, ['olderThanMs', 'now']);
  const { olderThanMs, now } = options;
  if (store.orphans !== undefined) return (await store.orphans({ olderThanMs, limit: most })).runs;
  const running = await store.list({ status: 'running' });
  const lost: OrphanRun[] = [];
  for (const { runId } of running.slice(0, most)) {
    const records = await store.read(runId);
    const header = records?.[0];
    const last = records?.at(-1);
    if (header?.type !== 'run' || last === undefined || last.at > now - olderThanMs) continue;
    lost.push({ runId, pipeline: header.pipeline, epoch: String(records?.length) });
  }
  return lost;
}

export async function handOnDead(
  store: Pick<SharedStore, 'deadWorkers' | 'forgetWorkers'>,
  handOn: (worker: string) => Promise<void>,
): Promise<void> {
  const dead = (await store.deadWorkers?.()) ?? [];
  for (const worker of dead) await handOn(worker);
  if (dead.length > 0) await store.forgetWorkers?.(dead);
}

/** The longest pause before a run is driven again. */
const longestMs = 15_000;

/** Returns how long to wait before a run is driven again: it doubles from half a second. */
export function pauseBefore(attempt: number): number {
  return Math.min(500 * 2 ** Math.min(attempt, 10), longestMs);
}

export interface SweepOptions {
  /** How often this worker looks for runs of dead workers, in milliseconds. @default 5000 */
  readonly sweepMs?: number | undefined;
  /** How long nothing was recorded before a sweep wakes a run, in milliseconds. @default 60000 */
  readonly lostAfterMs?: number | undefined;
  /** Receives a warning about each sweep that failed. @default silent */
  readonly logger?: Logger | undefined;
  /** Source of time. @default the system clock */
  readonly clock?: Clock | undefined;
}

export const sweepKeys = ['sweepMs', 'lostAfterMs', 'logger', 'clock'];

export function checkSweep({ sweepMs, lostAfterMs }: SweepOptions): void {
  checkPositive('sweepMs', sweepMs);
  checkPositive('lostAfterMs', lostAfterMs);
}

/** A sweep that fails is logged, and the next one tries again. */
export function sweeping(
  options: SweepOptions,
  work: (sweep: { readonly lostAfterMs: number; readonly now: number }) => Promise<void>,
): { readonly stop: () => Promise<void> } {
  const { sweepMs = 5000, lostAfterMs = 60_000 } = options;
  const { logger = silentLogger, clock = systemClock } = options;
  let isOver = false;
  let cancel = (): void => {};
  let current = Promise.resolve();
  const later = (): void => {
    if (isOver) return;
    cancel = clock.after(sweepMs, () => {
      current = work({ lostAfterMs, now: clock.now() })
        .catch((error: unknown) => logger.warn({ error: messageOf(error) }, 'a sweep failed'))
        .then(later);
    });
  };
  later();
  return {
    stop: async () => {
      isOver = true;
      cancel();
      await current;
    },
  };
}
