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
  readonly #age: number;
  readonly #fail: (error: ReviewLoopError) => void;
  /** The first and the last of the calls that are not settled, in the order they were made. */
  #first: TimedCall<never> | undefined;
  #last: TimedCall<never> | undefined;
  #ended: ReviewLoopError | undefined;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  #ends = Number.POSITIVE_INFINITY;

  constructor(limiter: Limiter, clock: Clock, fail: (error: ReviewLoopError) => void) {
    this.#limiter = limiter;
    this.#slots = freeSlotsOf(limiter);
    this.#clock = clock;
    this.#host = { clock, forget: (call) => this.#forget(call) };
    this.#age = limiter.age();
    this.#fail = fail;
  }

  endBy(time: number): void {
    this.#ends = time;
    this.#watch(time);
  }

  make<Value>(options: LeafOptions, work: LeafWork<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => this.#enter(options, { resolve, reject }, work));
  }

  tell<Value>(options: LeafOptions & LeafSink<Value>, work: LeafWork<Value>): void {
    this.#enter(options, options, work);
  }

  #enter<Value>(options: LeafOptions, sink: LeafSink<Value>, work: LeafWork<Value>): void {
    const now = elapsedOn(this.#clock);
    if (this.#ended !== undefined) sink.reject(this.#ended);
    else if (now >= this.#ends) sink.reject(outOfTime(options.label));
    else {
      const call = new TimedCall<Value>(options, this.#host, sink);
      this.#remember(call as unknown as TimedCall<never>);
      const free = this.#slots?.take();
      if (free === undefined) this.#queue(call, work);
      else {
        call.startIn(work, { ends: this.#ends, now, free });
        if (!call.settled) this.#watch(call.deadline);
      }
    }
  }

  #remember(call: TimedCall<never>): void {
    call.before = this.#last;
    if (this.#last === undefined) this.#first = call;
    else this.#last.after = call;
    this.#last = call;
  }

  #forget(call: TimedCall<never>): void {
    const { before, after } = call;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    call.before = undefined;
  }

  #queue<Value>(call: TimedCall<Value>, work: LeafWork<Value>): void {
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

  end(error: ReviewLoopError): void {
    this.#ended = error;
    // what is failed leaves the list, and keeps its place in it
    for (let call = this.#first; call !== undefined; call = call.after) call.fail(error);
    this.close();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

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
    for (let call = this.#first; call !== undefined; call = call.after) {
      if (call.deadline <= now || this.#ends <= now) call.expire('timeout');
      else next = Math.min(next, call.deadline);
    }
    this.#watch(this.#ends <= now ? next : Math.min(next, this.#ends));
  }
}
