import { ReviewLoopError } from '../kernel/errors.js';
import type { Clock } from '../ports/clock.js';

/** How a leaf call is named in errors, and how long it may take once it has its slot. */
export interface LeafOptions {
  readonly label: string;
  readonly timeoutMs: number | undefined;
}

/**
 * The work of a leaf call. The signal is made when it is first asked for; `release` gives the slot back early, for work
 * that turns out to make leaf calls of its own.
 */
export type LeafWork<Value> = (signal: () => AbortSignal, release: () => void) => Value | Promise<Value>;

/**
 * One call of somebody else's code, from the moment it has its slot: bounded in time, abortable, settled once. When time
 * is up the result is no longer waited for, the signal is aborted and the slot is free again.
 */
export class LeafCall<Value> {
  readonly #options: LeafOptions;
  readonly #clock: Clock;
  readonly #resolve: (value: Value) => void;
  readonly #reject: (error: unknown) => void;
  #controller: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;
  #freeSlot: (() => void) | undefined;
  #started = 0;
  settled = false;

  constructor(options: LeafOptions, clock: Clock, resolve: (value: Value) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#clock = clock;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Starts the work; resolves when the slot is free again. */
  start(work: LeafWork<Value>): Promise<void> {
    if (this.settled) return Promise.resolve();
    const slot = new Promise<void>((free) => {
      this.#freeSlot = free;
    });
    this.#started = this.#clock.now();
    try {
      this.#await(work(this.#signal, this.#release));
    } catch (error) {
      this.fail(error);
    }
    return slot;
  }

  fail = (error: unknown): void => {
    if (!this.#settle()) return;
    this.#controller?.abort(error);
    this.#reject(error);
  };

  readonly #signal = (): AbortSignal => {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  };

  readonly #release = (): void => this.#freeSlot?.();

  #await(result: Value | Promise<Value>): void {
    const pending = isThenable(result);
    if (pending) result.then(this.#done, this.fail);
    if (this.#late) this.fail(this.#error('event_loop_blocked', `blocked the event loop for ${this.#clock.now() - this.#started} ms, with a timeout of ${this.#options.timeoutMs} ms`));
    else if (!pending) this.#done(result);
    else if (this.#options.timeoutMs !== undefined && !this.settled) this.#cancelTimer = this.#clock.after(this.#options.timeoutMs, this.#expire);
  }

  readonly #done = (value: Value): void => {
    if (this.#late) this.#expire();
    else if (this.#settle()) this.#resolve(value);
  };

  readonly #expire = (): void => {
    this.fail(this.#error('timeout', `gave no result within ${this.#options.timeoutMs} ms`));
  };

  get #late(): boolean {
    return this.#options.timeoutMs !== undefined && this.#clock.now() - this.#started > this.#options.timeoutMs;
  }

  #error(code: 'timeout' | 'event_loop_blocked', what: string): ReviewLoopError {
    return new ReviewLoopError(code, `${this.#options.label} ${what}`, { retryable: code === 'timeout' });
  }

  #settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.#cancelTimer?.();
    this.#freeSlot?.();
    return true;
  }
}

/** Anything that can be awaited. */
export function isThenable<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
