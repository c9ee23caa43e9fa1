import { onAbort } from '../../../core/abort-signal.js';
import { type Clock, elapsedOn } from '../../../ports/clock.js';
import { type RateLimit, type RatePass, waitCancelled } from '../../../ports/rate-limit.js';
import type { Booking, RateBook } from './rate-pace.js';

interface Call {
  readonly tokens: number;
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
  gone: boolean;
  /** Whether it came too late to its place once. */
  late: boolean;
}

interface Place {
  /** When it starts, by `elapsedOn`. */
  readonly at: number;
  readonly cancel: () => void;
}

/** A call that starts this much later than its place takes a new one: the process was frozen. */
const latestMs = 1000;
/** Corrections wait for each other for so long, unless a call takes them along. */
const correctMs = 250;
/** Another process may give tokens back, so calls ask again at least so often. */
const longestPauseMs = 5000;
const mostCalls = 200;

/**
 * Calls book their starts in rows that processes share. Those that wait in this process ask with
 * one statement, in their order.
 */
export class BookedRateLimit implements RateLimit {
  readonly #rows: RateBook;
  readonly #clock: Clock;
  #waiting: Call[] = [];
  readonly #places = new Map<Call, Place>();
  #owed = 0;
  #spent = 0;
  #holdMs = 0;
  #asking = false;
  #attempt = 0;
  #correcting = false;
  /** Ends the pause before the next statement. */
  #wake: (() => void) | undefined;

  constructor(rows: RateBook, clock: Clock) {
    this.#rows = rows;
    this.#clock = clock;
  }

  readonly enter: RateLimit['enter'] = ({ tokens = 0, signal } = {}) =>
    new Promise<RatePass>((resolve, reject) => {
      if (signal?.aborted) return reject(waitCancelled(signal));
      const call: Call = {
        tokens,
        gone: false,
        late: false,
        go: () => {
          ignore();
          resolve(this.#passOf(tokens));
        },
        fail: (error) => {
          ignore();
          reject(error);
        },
      };
      const ignore = onAbort(signal, () => {
        this.#leave(call);
        if (signal !== undefined) reject(waitCancelled(signal));
      });
      this.#waiting.push(call);
      void this.#ask();
    });

  readonly spend = (tokens: number): void => {
    this.#spent += tokens;
    this.#correct();
  };

  #passOf(tokens: number): RatePass {
    let booked = tokens;
    return {
      settle: (used) => {
        this.#owe(used - booked);
        booked = used;
      },
      refused: (retryAfterMs) => {
        this.#holdMs = Math.max(this.#holdMs, retryAfterMs);
        this.#takeBack([...this.#places.keys()]);
        this.#wake?.();
        void this.#ask();
      },
    };
  }

  #leave(call: Call): void {
    call.gone = true;
    this.#waiting = this.#waiting.filter((other) => other !== call);
    const place = this.#places.get(call);
    if (place !== undefined) {
      this.#drop(call, place);
      this.#owe(-call.tokens);
    }
    if (this.#waiting.length === 0) this.#wake?.();
  }

  #drop(call: Call, { cancel }: Place): void {
    cancel();
    this.#places.delete(call);
  }

  /** Lets calls with a place wait for another one, before all that came later. */
  #takeBack(calls: readonly Call[]): void {
    for (const call of calls) {
      const place = this.#places.get(call);
      if (place !== undefined) this.#drop(call, place);
      this.#owe(-call.tokens);
    }
    this.#waiting.unshift(...calls.filter(({ gone }) => !gone));
  }

  #owe(tokens: number): void {
    if (tokens === 0) return;
    this.#owed += tokens;
    this.#correct();
  }

  #correct(): void {
    if (this.#correcting) return;
    this.#correcting = true;
    this.#clock.after(correctMs, () => {
      this.#correcting = false;
      if (this.#owed === 0 && this.#spent === 0) return;
      // there may be room for calls that wait
      this.#wake?.();
      void this.#ask();
    });
  }

  get #hasWork(): boolean {
    return this.#waiting.length > 0 || this.#owed !== 0 || this.#spent !== 0 || this.#holdMs > 0;
  }

  /** Asks until every call has a place. Never rejects. */
  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    // all that is called in this turn goes together
    await Promise.resolve();
    while (this.#hasWork) {
      const calls = this.#waiting.splice(0, mostCalls);
      try {
        const booking = await this.#book(calls);
        if (this.#waiting.length > 0 && booking.waits.length < calls.length)
          await this.#pause(booking.againMs);
      } catch (error) {
        for (const call of [...calls, ...this.#waiting.splice(0)]) call.fail(error);
      }
    }
    this.#asking = false;
  }

  async #book(calls: readonly Call[]): Promise<Booking> {
    const [owed, spent, holdMs] = [this.#owed, this.#spent, this.#holdMs];
    [this.#owed, this.#spent, this.#holdMs] = [0, 0, 0];
    const tokens = calls.map((call) => call.tokens);
    const booking = await this.#rows.book({ tokens, owed, spent, holdMs });
    const booked = calls.slice(0, booking.waits.length);
    this.#waiting.unshift(...calls.slice(booked.length).filter(({ gone }) => !gone));
    // a refusal came meanwhile: these places are too early
    if (this.#holdMs > 0) this.#takeBack(booked);
    else
      for (const [index, call] of booked.entries())
        if (call.gone) this.#owe(-call.tokens);
        else this.#place(call, booking.waits[index] ?? 0);
    return booking;
  }

  #place(call: Call, waitMs: number): void {
    const at = elapsedOn(this.#clock) + waitMs;
    const cancel = this.#clock.after(Math.ceil(waitMs), () => {
      if (elapsedOn(this.#clock) - at < latestMs || call.late) {
        this.#places.delete(call);
        call.go();
        return;
      }
      call.late = true;
      this.#takeBack([call]);
      void this.#ask();
    });
    this.#places.set(call, { at, cancel });
  }

  /** Waits before the next statement, so that processes do not ask at the same time. */
  #pause(ms: number): Promise<void> {
    this.#attempt += 1;
    const spread = ((this.#attempt * 13 + process.pid) % 37) / 37;
    const bounded = Math.min(longestPauseMs, Math.max(20, ms));
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
      const cancel = this.#clock.after(bounded * (1 + spread / 4), done);
      this.#wake = done;
    });
  }
}
