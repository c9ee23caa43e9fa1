import { checkKeys } from '../core/options.js';
import type { OrphanRun, Store } from '../ports/store.js';

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
  /** The id of this process. */
  readonly worker?: string | undefined;
  /** Begins the lease of this process, and renews it from then on. */
  readonly enlist?: (() => Promise<void>) | undefined;
  /** Returns the ids of workers whose lease is over. */
  readonly deadWorkers?: (() => Promise<readonly string[]>) | undefined;
  /** Forgets dead workers whose work was handed on. */
  readonly forgetWorkers?: ((ids: readonly string[]) => Promise<void>) | undefined;
}

/** The most runs of one sweep. */
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

/** Hands on what dead workers had, one after another, then forgets them. */
export async function handOnDead(
  store: Pick<SharedStore, 'deadWorkers' | 'forgetWorkers'>,
  handOn: (worker: string) => Promise<void>,
): Promise<void> {
  const dead = (await store.deadWorkers?.()) ?? [];
  for (const worker of dead) await handOn(worker);
  if (dead.length > 0) await store.forgetWorkers?.(dead);
}

/** The longest pause before a run is driven again, in milliseconds. */
const longestMs = 15_000;

/** Returns how long to wait before a run is driven again: it doubles from half a second. */
export function pauseBefore(attempt: number): number {
  return Math.min(500 * 2 ** Math.min(attempt, 10), longestMs);
}
