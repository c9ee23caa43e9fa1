import pLimit from 'p-limit';
import { checkKeys } from '../core/options.js';
import type { Clock } from './clock.js';
import { checkLimit, rateLimit } from './rate-limit.js';
import { WaitingCalls } from './waiting-calls.js';

/** Bounds how many leaf calls run at a time. */
export interface Limiter {
  readonly concurrency: number;
  /**
   * Calls the work when there is a slot, which it holds until its promise settles. Among those that wait, the one of the
   * oldest loop goes first while many loops wait, else the one that came first.
   *
   * @param age - The smaller, the older the loop.
   * @param work - Must not reject.
   */
  readonly enter: (age: number, work: () => Promise<void>) => void;
  /** The age of a loop that starts now. */
  readonly age: () => number;
  /** Counts tokens against `tokensPerMinute`. */
  readonly spend: (tokens: number) => void;
}

/** How a {@link limiter} is bounded. */
export interface LimiterOptions {
  /** Calls out at the same time; `Infinity` for no limit. */
  readonly concurrency: number;
  /** Calls started in any minute. @default unlimited */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens reported in any minute before the next call starts. @default unlimited */
  readonly tokensPerMinute?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * A limit that several pipelines can share.
 *
 * @throws ReviewLoopError `invalid_options` for numbers below 1.
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
  // calls that hold a slot without the queue, which costs a third of a short call
  let direct = 0;
  // calls that wait while direct ones hold every slot: the queue cannot have none
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
 * Returns what the work gives for every item, in their order, with at most `n` of them under way. The first error is
 * thrown once nothing is under way any more; work that has not begun by then is not begun.
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

/** The limiter of pipelines that name none: 16 calls at a time in the whole process. */
export const processLimiter: Limiter = limiter({ concurrency: 16 });
