import type { ReviewLoopError } from '../core/errors.js';
import { type Clock, elapsedOn } from '../ports/clock.js';
import { type FreeSlots, freeSlotsOf, type Limiter } from '../ports/limiter.js';
import {
  type LeafHost,
  type LeafOptions,
  type LeafSink,
  type LeafWork,
  outOfTime,
  TimedCall,
} from './timed-call.js';

const freeSlot = Promise.resolve();

/** Makes the leaf calls of one run: each takes a slot of the limiter, and one timer serves all. */
export class CallRunner {
  readonly #limiter: Limiter;
  readonly #slots: FreeSlots | undefined;
  readonly #clock: Clock;
  readonly #host: LeafHost;
  /** The limiter's order among waiting loops. */
  readonly #age: number;
  readonly #fail: (error: ReviewLoopError) => void;
  /** Calls that are not settled, in the order they were made. */
  readonly #calls = new Set<TimedCall<never>>();
  #ended: ReviewLoopError | undefined;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  #ends = Number.POSITIVE_INFINITY;

  /** @param fail - Ends the run, if the limiter can give no slot. */
  constructor(limiter: Limiter, clock: Clock, fail: (error: ReviewLoopError) => void) {
    this.#limiter = limiter;
    this.#slots = freeSlotsOf(limiter);
    this.#clock = clock;
    this.#host = { clock, forget: (call) => void this.#calls.delete(call) };
    this.#age = limiter.age();
    this.#fail = fail;
  }

  /** Expires running and waiting calls at a time of `elapsedOn`. */
  endBy(time: number): void {
    this.#ends = time;
    this.#watch(time);
  }

  /** Makes a call when a slot is free. */
  make<Value>(options: LeafOptions, work: LeafWork<Value>): Promise<Value> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#isOver()) return Promise.reject(outOfTime(options.label));
    return new Promise<Value>((resolve, reject) => {
      this.#enter(new TimedCall<Value>(options, this.#host, { resolve, reject }), work);
    });
  }

  /** Makes a call when a slot is free, and tells the sink. */
  tell<Value>(options: LeafOptions & LeafSink<Value>, work: LeafWork<Value>): void {
    if (this.#ended !== undefined) options.reject(this.#ended);
    else if (this.#isOver()) options.reject(outOfTime(options.label));
    else this.#enter(new TimedCall<Value>(options, this.#host, options), work);
  }

  #enter<Value>(call: TimedCall<Value>, work: LeafWork<Value>): void {
    this.#calls.add(call as unknown as TimedCall<never>);
    const free = this.#slots?.take();
    if (free !== undefined) {
      call.startIn(work, this.#ends, free);
      if (!call.settled) this.#watch(call.deadline);
      return;
    }
    let hasBegun = false;
    const begin = (): Promise<void> => {
      hasBegun = true;
      if (call.settled) return freeSlot;
      const slot = call.start(work, this.#ends);
      if (!call.settled) this.#watch(call.deadline);
      return slot;
    };
    let later: Promise<void> | undefined;
    let enter: () => void = () => {};
    const enterSlot = (): Promise<void> => {
      enter();
      return later ?? begin();
    };
    this.#limiter.enter(this.#age, enterSlot, this.#fail);
    if (hasBegun) return;
    // a slot is freed in the async context of another call; `then` keeps the context of this one
    later = new Promise<void>((resolve) => {
      enter = resolve;
    }).then(begin);
  }

  /** Fails every running, waiting and later call. */
  end(error: ReviewLoopError): void {
    this.#ended = error;
    for (const call of this.#calls) call.fail(error);
    this.close();
  }

  /** Cancels the timer. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #isOver(): boolean {
    return elapsedOn(this.#clock) >= this.#ends;
  }

  /** Makes sure that the timer fires at this time or earlier. */
  #watch(deadline: number): void {
    if (
      deadline === Number.POSITIVE_INFINITY ||
      (this.#timer !== undefined && this.#timer.at <= deadline)
    )
      return;
    this.#timer?.cancel();
    this.#timer = {
      at: deadline,
      cancel: this.#clock.after(Math.max(0, deadline - elapsedOn(this.#clock)), () =>
        this.#expire(),
      ),
    };
  }

  #expire(): void {
    this.#timer = undefined;
    const now = elapsedOn(this.#clock);
    let next = Number.POSITIVE_INFINITY;
    for (const call of this.#calls) {
      if (call.deadline <= now || this.#ends <= now) call.expire('timeout');
      else next = Math.min(next, call.deadline);
    }
    this.#watch(this.#ends <= now ? next : Math.min(next, this.#ends));
  }
}
