import type { Clock } from '../ports/clock.js';
import type { Random } from '../ports/random.js';

/** A clock that a test controls. */
export interface FakeClock extends Clock {
  /**
   * Advances the time by `ms` milliseconds and fires due timers, earliest first. Timers that
   * callbacks set are included.
   */
  readonly advance: (ms: number) => void;
  /** Like `advance`, but waits for promises after each timer. */
  readonly advanceAsync: (ms: number) => Promise<void>;
  /** The number of set timers. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * Creates a clock whose time changes only when a test advances it.
 *
 * @param start - The start time, in milliseconds since 1970. @default 0
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

/** Of equal ones, it is the one that was set first. */
function earliest(timers: ReadonlySet<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
  return first;
}

/**
 * Creates a source of predictable ids and nonces: `id-000001`, `id-000002`, `nonce-000001`.
 *
 * @param prefix - A prefix for ids and nonces, to distinguish two instances. @default ''
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, random: fakeRandom() });
 * ```
 */
export function fakeRandom(prefix = ''): Random {
  let ids = 0;
  let nonces = 0;
  return {
    id: () => `${prefix}id-${String(++ids).padStart(6, '0')}`,
    nonce: () => `${prefix}nonce-${String(++nonces).padStart(6, '0')}`,
  };
}

const later: (callback: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

/**
 * Resolves after all work that depends only on promises. It does not wait for timers, files and
 * sockets.
 */
export function settle(): Promise<void> {
  return new Promise((resolve) => void later(resolve));
}
