import { ReviewLoopError } from '../core/errors.js';
import { pop, push } from '../core/heap.js';
import { checkKeys, checkLimit, invalid } from '../core/options.js';
import type { RateLimit } from './rate-limit.js';

const rateText = 'a rateLimit(...)';

const noWork = Promise.resolve();

/** Bounds how many leaf calls run at a time. */
export interface Limiter {
  /** How many calls run at the same time. */
  readonly concurrency: number;
  /**
   * Calls the work when a slot is free. The work has the slot until its promise settles. While many
   * loops wait, the call of the oldest loop goes first. Otherwise the earliest call goes first.
   *
   * @param age - The age of the loop, from `age()`; smaller is older.
   * @param work - Must not reject.
   * @param fail - Called instead of the work if no slot can be given: a shared limiter cannot reach
   *   its store.
   */
  readonly enter: (
    age: number,
    work: () => Promise<void>,
    fail?: (error: ReviewLoopError) => void,
  ) => void;
  /** Returns the age of a loop that starts now. */
  readonly age: () => number;
  /** Counts used tokens against `tokensPerMinute`. */
  readonly spend: (tokens: number) => void;
}

/** The slots of a limiter that can be taken at once, without a promise. */
export interface FreeSlots {
  /** Takes a slot, if one is free. Returns what frees it; call that once. */
  readonly take: () => (() => void) | undefined;
}

const slots = new WeakMap<Limiter, FreeSlots>();

export function freeSlotsOf(given: Limiter): FreeSlots | undefined {
  return slots.get(given);
}

export interface LimiterOptions {
  /** How many calls run at the same time; from 1, or `Infinity`. */
  readonly concurrency: number;
  /** Bounds the calls and the tokens of each minute: `rateLimit({ requestsPerMinute: 500 })`. @default unlimited */
  readonly rate?: RateLimit | undefined;
}

/**
 * Creates a limit that several pipelines can share.
 *
 * @throws ReviewLoopError `invalid_options` for a concurrency below 1.
 * @example
 * ```ts
 * const shared = limiter({ concurrency: 8, rate: rateLimit({ requestsPerMinute: 500 }) });
 * ```
 */
export function limiter(options: LimiterOptions): Limiter {
  checkKeys('limiter', options, ['concurrency', 'rate']);
  const { concurrency, rate } = options;
  checkLimit('concurrency', concurrency);
  checkRate(rate);
  const waiting = new WaitingCalls(rate === undefined ? concurrency / 2 : 0);
  const takeNext =
    rate === undefined
      ? () => waiting.take()?.work() ?? noWork
      : () =>
          rate.enter().then(
            () => waiting.take()?.work(),
            (error: unknown) =>
              waiting
                .take()
                ?.fail?.(
                  error instanceof ReviewLoopError ? error : invalid('rate', rateText, error),
                ),
          );
  let ages = 0;
  let free = concurrency;
  // waiting calls that no slot has been given to
  let queued = 0;
  const leave = (): void => {
    free += 1;
    if (queued === 0) return;
    queued -= 1;
    use(takeNext);
  };
  const use = (work: () => Promise<void>): void => {
    free -= 1;
    void work().then(leave, leave);
  };
  const made: Limiter = {
    concurrency,
    age: () => ages++,
    spend: rate?.spend ?? (() => {}),
    enter: (age, work, fail) => {
      if (rate === undefined && free > 0) {
        use(work);
        return;
      }
      waiting.add(age, { work, fail });
      if (free > 0) use(takeNext);
      else queued += 1;
    },
  };
  if (rate === undefined)
    slots.set(made, {
      take: () => {
        if (free <= 0) return undefined;
        free -= 1;
        return leave;
      },
    });
  return made;
}

function checkRate(rate: unknown): void {
  const isRate = typeof rate === 'object' && rate !== null && 'enter' in rate && 'spend' in rate;
  if (rate !== undefined && !isRate) throw invalid('rate', rateText, rate);
}

/**
 * Calls that wait for a slot. The oldest loop goes first, so that loops end one after another. If
 * too few loops wait to fill the slots, the earliest call goes first.
 */
export class WaitingCalls {
  readonly #few: number;
  readonly #loops = new Map<number, WaitingLoop>();
  #heap: WaitingLoop[] = [];
  #orders = 0;

  constructor(few: number) {
    this.#few = few;
  }

  add(age: number, { work, fail }: WaitingCall): void {
    let loop = this.#loops.get(age);
    if (loop === undefined) {
      loop = { age, calls: [], taken: 0 };
      this.#loops.set(age, loop);
      push(this.#heap, loop);
    }
    loop.calls.push({ order: this.#orders++, work, fail });
  }

  take(): WaitingCall | undefined {
    const loop = this.#heap.length <= this.#few ? this.#first() : this.#heap[0];
    if (loop === undefined) return undefined;
    const call = loop.calls[loop.taken];
    loop.taken += 1;
    if (loop.taken === loop.calls.length) this.#remove(loop);
    return call;
  }

  #first(): WaitingLoop | undefined {
    let first = this.#heap[0];
    for (const loop of this.#heap) if (orderOf(loop) < orderOf(first)) first = loop;
    return first;
  }

  #remove(loop: WaitingLoop): void {
    this.#loops.delete(loop.age);
    if (this.#heap[0] === loop) pop(this.#heap);
    // a sorted list is a heap, and here it is short
    else this.#heap = this.#heap.filter((one) => one !== loop).sort((a, b) => a.age - b.age);
  }
}

/** The default limiter of pipelines: 16 calls at a time in the whole process. */
export const processLimiter: Limiter = limiter({ concurrency: 16 });

export interface WaitingCall {
  readonly work: () => Promise<void>;
  /** Called instead of the work if there will be no slot. */
  readonly fail?: ((error: ReviewLoopError) => void) | undefined;
}

interface Waiting extends WaitingCall {
  readonly order: number;
}

interface WaitingLoop {
  readonly age: number;
  readonly calls: Waiting[];
  taken: number;
}

function orderOf(loop: WaitingLoop | undefined): number {
  return loop?.calls[loop.taken]?.order ?? Number.POSITIVE_INFINITY;
}
