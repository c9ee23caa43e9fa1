import { onAbort } from '../core/abort-signal.js';
import { ReviewLoopError } from '../core/errors.js';
import { checkKeys, checkLimit } from '../core/options.js';
import { type Clock, elapsedOn, systemClock } from './clock.js';

/** Options of a {@link rateLimit}. */
export interface RateLimitOptions {
  /** How many calls start in any minute; from 1. @default unlimited */
  readonly requestsPerMinute?: number | undefined;
  /** How many tokens calls use in any minute; from 1. @default unlimited */
  readonly tokensPerMinute?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

export interface RatePass {
  /** Replaces the expected tokens with the tokens that the call used. */
  readonly settle: (tokens: number) => void;
  /**
   * Holds back the calls that have not started for `retryAfterMs` milliseconds, because the service
   * refused this one. {@link withRateLimit} calls it, so that one refusal slows all that share the
   * limit.
   *
   * @default a refusal slows only the call itself
   */
  readonly refused?: ((retryAfterMs: number) => void) | undefined;
}

/** A limit on calls and tokens in any minute. Several providers can share it. */
export interface RateLimit {
  /**
   * Waits until the limit allows a call, in the order of the calls. Rejects with the reason of the
   * signal if it is aborted. A shared limit rejects with `store_busy` if it cannot reach its store.
   *
   * @param call - `tokens`: how many the call is expected to use. A call above the limit goes
   *   alone.
   */
  readonly enter: (call?: {
    readonly tokens?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<RatePass>;
  /** Counts tokens that no call announced. */
  readonly spend: (tokens: number) => void;
}

interface Waiting {
  readonly tokens: number;
  readonly go: () => void;
}

/**
 * Creates a limit on calls and tokens in any minute.
 *
 * @throws ReviewLoopError `invalid_options` for a number below 1
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
  let heldUntil = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;
  const pump = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    for (const first of queue) {
      const now = elapsedOn(clock);
      const ms = Math.max(heldUntil - now, starts.wait(now, 1), tokens.wait(now, first.tokens));
      if (ms > 0) {
        cancelTimer = clock.after(ms, pump);
        return;
      }
      queue.delete(first);
      first.go();
    }
  };
  const hold = (ms: number): void => {
    heldUntil = Math.max(heldUntil, elapsedOn(clock) + ms);
  };
  return {
    spend: (count) => void tokens.add(elapsedOn(clock), count),
    enter: ({ tokens: expected = 0, signal } = {}) =>
      new Promise<RatePass>((resolve, reject) => {
        if (signal?.aborted) return reject(waitCancelled(signal));
        const leave = (): void => {
          queue.delete(waiting);
          pump();
          if (signal !== undefined) reject(waitCancelled(signal));
        };
        const waiting: Waiting = {
          tokens: expected,
          go: () => {
            ignore();
            starts.add(elapsedOn(clock), 1);
            resolve(passOf(tokens.add(elapsedOn(clock), expected), { hold, pump }));
          },
        };
        const ignore = onAbort(signal, leave);
        queue.add(waiting);
        if (queue.size === 1) pump();
      }),
  };
}

function passOf(
  entry: Entry,
  { hold, pump }: { readonly hold: (ms: number) => void; readonly pump: () => void },
): RatePass {
  return {
    settle: (count) => {
      entry.count = count;
      pump();
    },
    refused: (retryAfterMs) => {
      hold(retryAfterMs);
      pump();
    },
  };
}

export function waitCancelled(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new ReviewLoopError('cancelled', 'the wait for room under a limit was cancelled', {
        cause: signal.reason,
      });
}

const minute = 60_000;

interface Entry {
  readonly at: number;
  count: number;
}

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

  /** In milliseconds. More than the limit waits for an empty minute. */
  wait(now: number, more: number): number {
    while ((this.#entries[0]?.at ?? now) <= now - minute) this.#entries.shift();
    const total = this.#entries.reduce((sum, { count }) => sum + count, 0);
    if (total <= 0 || total + Math.max(more, 1) <= this.#limit) return 0;
    return (this.#entries[0]?.at ?? now) + minute - now;
  }
}
