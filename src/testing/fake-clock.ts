import type { Clock } from '../ports/clock.js';
import { settle } from './settle.js';

/** A clock that a test drives by hand. */
export interface FakeClock extends Clock {
  /** Moves time on and fires what falls due, the earliest first, timers set meanwhile included. */
  readonly advance: (ms: number) => void;
  /** The same, and lets promises run after every timer, so that what they set falls due as well. */
  readonly advanceAsync: (ms: number) => Promise<void>;
  /** How many timers are set. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is advanced.
 *
 * @param start - Milliseconds since 1970. @default 0
 * @example
 * ```ts
 * const clock = fakeClock();
 * const pipeline = definePipeline({ ...options, clock });
 * await clock.advanceAsync(60_000);
 * ```
 */
export function fakeClock(start = 0): FakeClock {
  let now = start;
  const timers = new Set<Timer>();
  const fireNext = (until: number): boolean => {
    const next = earliest(timers);
    if (next === undefined || next.at > until) return false;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.callback();
    return true;
  };
  return {
    now: () => now,
    after: (ms, callback) => {
      const timer = { at: now + Math.max(0, ms), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (ms) => {
      const until = now + ms;
      while (fireNext(until));
      now = until;
    },
    advanceAsync: async (ms) => {
      const until = now + ms;
      await settle();
      while (fireNext(until)) await settle();
      now = until;
      await settle();
    },
    get pending() {
      return timers.size;
    },
  };
}

/** The one that falls due first; of equals, the one that was set first. */
function earliest(timers: ReadonlySet<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
  return first;
}
