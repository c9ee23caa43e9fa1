import { ReviewLoopError } from '../core/errors.js';
import type { CheckCall } from '../core/step.js';
import { type Clock, elapsedOn } from '../ports/clock.js';

/** What the work of a leaf call may do with it. */
export interface Leaf extends CheckCall {
  /** Gives the slot back early, for work that turns out to make leaf calls of its own. */
  readonly release: () => void;
}

/** The work of a leaf call. */
export type LeafWork<Value> = (call: Leaf) => Value | Promise<Value>;

/** How a leaf call is bounded and watched. */
export interface LeafOptions {
  /** The name of its step; errors tell of it in words. */
  readonly label: string;
  /** From the moment it has its slot. */
  readonly timeoutMs: number | undefined;
}

/** Who keeps the leaf calls. */
export interface LeafHost {
  readonly clock: Clock;
  /** Called once a call is settled. */
  readonly forget: () => void;
}

const freeSlot = Promise.resolve();

/**
 * One call of somebody else's code: bounded in time, abortable, settled once. When time is up its result is no longer
 * waited for, its signal is aborted and its slot is free again.
 */
export class TimedCall<Value> implements Leaf {
  readonly #options: LeafOptions;
  readonly #clock: Clock;
  readonly #resolve: (value: Value) => void;
  readonly #reject: (error: unknown) => void;
  #controller: AbortController | undefined;
  readonly #forget: () => void;
  #free: (() => void) | undefined;
  #released = false;
  #started: number | undefined;
  #limit = Number.POSITIVE_INFINITY;
  settled = false;

  constructor(
    options: LeafOptions,
    { clock, forget }: LeafHost,
    resolve: (value: Value) => void,
    reject: (error: unknown) => void,
  ) {
    this.#options = options;
    this.#clock = clock;
    this.#forget = forget;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Made when it is first asked for. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** When its time is up; never before it has started. */
  get deadline(): number {
    return (this.#started ?? Number.POSITIVE_INFINITY) + this.#limit;
  }

  /**
   * Starts the work; resolves when the slot is free again.
   *
   * @param ends - Nothing may go on beyond this time.
   */
  start(work: LeafWork<Value>, ends: number): Promise<void> {
    const now = elapsedOn(this.#clock);
    this.#started = now;
    this.#limit = Math.min(
      this.#options.timeoutMs ?? Number.POSITIVE_INFINITY,
      Math.max(0, ends - now),
    );
    try {
      const result = work(this);
      if (!isThenable(result)) this.#done(result, 'event_loop_blocked');
      else {
        result.then(
          (value) => this.#done(value, 'timeout'),
          (error: unknown) => this.fail(error),
        );
        if (this.#late) this.expire('event_loop_blocked');
      }
    } catch (error) {
      this.fail(error);
    }
    if (this.settled || this.#released) return freeSlot;
    return new Promise<void>((free) => {
      this.#free = free;
    });
  }

  release(): void {
    this.#released = true;
    this.#free?.();
  }

  fail(error: unknown): void {
    if (this.settled) return;
    this.#settle();
    this.#controller?.abort(error);
    this.#reject(error);
  }

  expire(code: 'timeout' | 'event_loop_blocked'): void {
    const { label } = this.#options;
    if (this.#started === undefined) {
      this.fail(outOfTime(label));
      return;
    }
    const { subject, place, option } = describe(label);
    const { timeoutMs = Number.POSITIVE_INFINITY } = this.#options;
    const bound =
      this.#limit < timeoutMs
        ? 'timeouts.reviewMs or timeouts.iterationMs'
        : `${option}: ${timeoutMs}`;
    const what =
      code === 'timeout'
        ? 'timed out'
        : `blocked the event loop for ${elapsedOn(this.#clock) - this.#started} ms`;
    this.fail(
      new ReviewLoopError(code, `${subject} ${what}${place} (${bound})`, {
        retryable: code === 'timeout',
      }),
    );
  }

  #done(value: Value, ifLate: 'timeout' | 'event_loop_blocked'): void {
    if (this.#late) this.expire(ifLate);
    else if (!this.settled) {
      this.#settle();
      this.#resolve(value);
    }
  }

  get #late(): boolean {
    return elapsedOn(this.#clock) > this.deadline;
  }

  #settle(): void {
    this.settled = true;
    this.#forget();
    this.#free?.();
  }
}

/** Returns the error of a call that comes too late to be started. */
export function outOfTime(label: string): ReviewLoopError {
  const { subject, place } = describe(label);
  return new ReviewLoopError(
    'timeout',
    `${subject} was not started${place}: no time left (timeouts.reviewMs or timeouts.iterationMs)`,
  );
}

/** The words for a step: who makes the call, where in the run, and which option bounds it. */
function describe(label: string): {
  readonly subject: string;
  readonly place: string;
  readonly option: string;
} {
  const [, iteration, rest = label] = /^iter:(\d+)\/(.*)$/.exec(label) ?? [];
  const [, kind, id] = /^(review|fix):([^/]*)/.exec(rest) ?? [];
  const place = iteration === undefined ? '' : ` in review ${iteration}`;
  if (id !== undefined) {
    const subject = kind === 'fix' ? `the fixer of '${id}'` : `'${id}'`;
    return { subject, place, option: 'timeouts.checkMs' };
  }
  const subject = rest.split('/')[0] ?? rest;
  if (subject !== 'produce' && subject !== 'address')
    return { subject, place, option: 'timeouts.checkMs' };
  const after = iteration === undefined ? '' : ` after review ${iteration}`;
  return { subject, place: after, option: `timeouts.${subject}Ms` };
}

/** Anything that can be awaited. */
export function isThenable<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
