import { ReviewLoopError } from '../core/errors.js';
import { onAbort } from '../core/on-abort.js';
import { checkKeys, checkLimit } from '../core/options.js';
import { type Clock, elapsedOn, systemClock } from './clock.js';

/** What may happen in any minute. */
export interface RateLimitOptions {
  /** Calls that start in any minute. @default unlimited */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens in any minute. @default unlimited */
  readonly tokensPerMinute?: number | undefined;
  /** @default the clock of the machine */
  readonly clock?: Clock | undefined;
}

/** A call that a {@link RateLimit} let in. */
export interface RatePass {
  /** Counts what the call really took in place of what was expected. */
  readonly settle: (tokens: number) => void;
}

/** A limit on calls and tokens in any minute, which several users can share. */
export interface RateLimit {
  /**
   * Waits for room, first come, first served. Rejects with the reason of the signal once that is aborted.
   *
   * @param call - `tokens` are those that the call is expected to take; a call that is larger than the limit goes alone.
   */
  readonly enter: (call?: {
    readonly tokens?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<RatePass>;
  /** Counts tokens that no call was let in for. */
  readonly spend: (tokens: number) => void;
}

interface Waiting {
  readonly tokens: number;
  readonly go: () => void;
}

/**
 * A limit on calls and tokens in any minute.
 *
 * @throws ReviewLoopError `invalid_options` for numbers below 1.
 * @example
 * ```ts
 * const shared = rateLimit({ requestsPerMinute: 500, tokensPerMinute: 100_000 });
 * ```
 */
export function rateLimit(options: RateLimitOptions): RateLimit {
  checkKeys('rateLimit', options, ['requestsPerMinute', 'tokensPerMinute', 'clock']);
  const {
    requestsPerMinute = Number.POSITIVE_INFINITY,
    tokensPerMinute = Number.POSITIVE_INFINITY,
    clock = systemClock,
  } = options;
  checkLimit('requestsPerMinute', requestsPerMinute);
  checkLimit('tokensPerMinute', tokensPerMinute);
  const starts = new LastMinute(requestsPerMinute);
  const tokens = new LastMinute(tokensPerMinute);
  const queue = new Set<Waiting>();
  let cancelTimer: (() => void) | undefined;
  const pump = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    for (const first of queue) {
      const now = elapsedOn(clock);
      const ms = Math.max(starts.wait(now, 1), tokens.wait(now, first.tokens));
      if (ms > 0) {
        cancelTimer = clock.after(ms, pump);
        return;
      }
      queue.delete(first);
      first.go();
    }
  };
  return {
    spend: (count) => void tokens.add(elapsedOn(clock), count),
    enter: ({ tokens: expected = 0, signal } = {}) =>
      new Promise<RatePass>((resolve, reject) => {
        if (signal?.aborted) return reject(reasonOf(signal));
        const leave = (): void => {
          queue.delete(waiting);
          pump();
          if (signal !== undefined) reject(reasonOf(signal));
        };
        const waiting: Waiting = {
          tokens: expected,
          go: () => {
            ignore();
            starts.add(elapsedOn(clock), 1);
            const entry = tokens.add(elapsedOn(clock), expected);
            resolve({
              settle: (count) => {
                entry.count = count;
                pump();
              },
            });
          },
        };
        const ignore = onAbort(signal, leave);
        queue.add(waiting);
        if (queue.size === 1) pump();
      }),
  };
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new ReviewLoopError('cancelled', 'the wait for room under a rate limit was cancelled', {
        cause: signal.reason,
      });
}

const minute = 60_000;

interface Entry {
  readonly at: number;
  count: number;
}

/** What was counted in the last minute, against a limit. */
class LastMinute {
  readonly #limit: number;
  readonly #entries: Entry[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(at: number, count: number): Entry {
    const entry = { at, count };
    if (this.#limit !== Number.POSITIVE_INFINITY) this.#entries.push(entry);
    return entry;
  }

  /** How long until there may be room for so many more; one that is larger than the limit waits for an empty minute. */
  wait(now: number, more: number): number {
    while ((this.#entries[0]?.at ?? now) <= now - minute) this.#entries.shift();
    const total = this.#entries.reduce((sum, { count }) => sum + count, 0);
    if (total <= 0 || total + Math.max(more, 1) <= this.#limit) return 0;
    return (this.#entries[0]?.at ?? now) + minute - now;
  }
}
