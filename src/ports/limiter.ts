import pLimit from 'p-limit';
import { checkKeys } from '../core/options.js';
import type { Clock } from './clock.js';
import { checkLimit, rateLimit } from './rate-limit.js';
import { WaitingCalls } from './waiting-calls.js';

/** Limits how many calls run at the same time. */
export interface Limiter {
  /** How many calls run at the same time. */
  readonly concurrency: number;
  /**
   * Calls the work when a slot is free. The work has the slot until its promise settles. While many
   * loops wait, the call of the oldest loop goes first. Otherwise the earliest call goes first.
   *
   * @param age - The age of the loop, from `age()`; smaller is older.
   * @param work - Must not reject.
   */
  readonly enter: (age: number, work: () => Promise<void>) => void;
  /** Returns the age of a loop that starts now. */
  readonly age: () => number;
  /** Counts used tokens against `tokensPerMinute`. */
  readonly spend: (tokens: number) => void;
}

/** Options of a {@link limiter}. */
export interface LimiterOptions {
  /** How many calls run at the same time; from 1, or `Infinity`. */
  readonly concurrency: number;
  /** How many calls start in any minute; from 1. @default unlimited */
  readonly requestsPerMinute?: number | undefined;
  /**
   * How many tokens may be reported in any minute before the next call waits; from 1.
   *
   * @default unlimited
   */
  readonly tokensPerMinute?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/**
 * Creates a limit that several pipelines can share.
 *
 * @throws ReviewLoopError `invalid_options` for a number below 1
 * @example
 * ```ts
 * const shared = limiter({ concurrency: 8, requestsPerMinute: 500 });
 * ```
 */
export function limiter(options: LimiterOptions): Limiter {
  checkKeys('limiter', options, ['concurrency', 'requestsPerMinute', 'tokensPerMinute', 'clock']);
  checkLimit('concurrency', options.concurrency);
  checkLimit('requestsPerMinute', options.requestsPerMinute ?? 1);
  checkLimit('tokensPerMinute', options.tokensPerMinute ?? 1);
  const slots = pLimit(options.concurrency);
  const { concurrency } = options;
  const isRated = (options.requestsPerMinute ?? options.tokensPerMinute) !== undefined;
  const waiting = new WaitingCalls(isRated ? 0 : concurrency / 2);
  const { requestsPerMinute, tokensPerMinute, clock } = options;
  const rate =
    (requestsPerMinute ?? tokensPerMinute) === undefined
      ? undefined
      : rateLimit({ requestsPerMinute, tokensPerMinute, clock });
  const next =
    rate === undefined
      ? () => waiting.take()?.work()
      : () => rate.enter().then(() => waiting.take()?.work());
  let ages = 0;
  // calls that have a slot without the queue, which costs a third of a short call
  let direct = 0;
  // calls that wait while direct ones have every slot: the queue needs at least one slot
  let deferred = 0;
  const isQueueing = (): boolean => slots.activeCount + slots.pendingCount > 0;
  const leave = (): void => {
    direct -= 1;
    if (deferred > 0 || isQueueing()) slots.concurrency = concurrency - direct;
    for (; deferred > 0; deferred -= 1) void slots(next);
  };
  return {
    concurrency,
    age: () => ages++,
    spend: rate?.spend ?? (() => {}),
    enter: (age, work) => {
      if (rate === undefined && direct < concurrency && !isQueueing()) {
        direct += 1;
        void work().then(leave);
        return;
      }
      waiting.add(age, work);
      if (direct >= concurrency) {
        deferred += 1;
        return;
      }
      if (!isQueueing()) slots.concurrency = concurrency - direct;
      void slots(next);
    },
  };
}

/**
 * Returns the results of the work for all items, in order. At most `n` items are in progress at a
 * time. After an error, no new work starts; the first error is thrown when all work in progress has
 * ended.
 */
export async function mapBounded<Item, Value>(
  items: readonly Item[],
  n: number,
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const slots = pLimit(n);
  const failures: unknown[] = [];
  const values: Value[] = [];
  const perform = async (item: Item, index: number): Promise<void> => {
    if (failures.length > 0) return;
    try {
      values[index] = await work(item);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(items.map((item, index) => slots(perform, item, index)));
  if (failures.length > 0) throw failures[0];
  return values;
}

/** The default limiter of pipelines: 16 calls at a time in the whole process. */
export const processLimiter: Limiter = limiter({ concurrency: 16 });
