import { lastFault, timeoutAfter } from '../core/abort-signal.js';
import { coreErrors } from '../core/core-errors.js';
import type { ErrorEntry } from '../core/error-table.js';
import { ReviewLoopError } from '../core/errors.js';
import type { CheckCall } from '../core/step.js';
import { type Clock, elapsedOn } from '../ports/clock.js';

export interface Leaf extends CheckCall {
  /** Frees the slot early, for work that makes leaf calls itself. */
  readonly release: () => void;
  /** Ends the call with an error. What the work returns later is ignored. */
  readonly fail: (error: unknown) => void;
}

export type LeafWork<Value> = (call: Leaf) => Value | Promise<Value>;

export interface LeafOptions {
  /** The name of its step; errors put it into words. */
  readonly label: string;
  /** Timeout in milliseconds; it starts when the call has its slot. */
  readonly timeoutMs: number | undefined;
}

export interface LeafHost {
  readonly clock: Clock;
  /** Called once a call is settled. */
  readonly forget: (call: TimedCall<never>) => void;
}

export interface LeafSink<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

const freeSlot = Promise.resolve();

/**
 * One call of foreign code: with a timeout, abortable, settled once. After the timeout, its signal
 * is aborted, its slot is free and its result is ignored.
 */
export class TimedCall<Value> implements Leaf {
  readonly #options: LeafOptions;
  readonly #host: LeafHost;
  readonly #sink: LeafSink<Value>;
  #controller: AbortController | undefined;
  #free: (() => void) | undefined;
  #released = false;
  #started: number | undefined;
  #limit = Number.POSITIVE_INFINITY;
  settled = false;
  /** Its neighbours among the calls of its host that are not settled. */
  before: TimedCall<never> | undefined;
  after: TimedCall<never> | undefined;

  constructor(options: LeafOptions, host: LeafHost, sink: LeafSink<Value>) {
    this.#options = options;
    this.#host = host;
    this.#sink = sink;
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** Infinity before the timeout starts. */
  get deadline(): number {
    return (this.#started ?? Number.POSITIVE_INFINITY) + this.#limit;
  }

  /**
   * Starts the work; resolves when the slot is free.
   *
   * @param ends - The time at which the call expires in any case.
   */
  start(work: LeafWork<Value>, ends: number): Promise<void> {
    this.#begin(work, ends, elapsedOn(this.#host.clock));
    if (this.settled || this.#released) return freeSlot;
    return new Promise<void>((free) => {
      this.#free = free;
    });
  }

  /** Starts the work in a slot; `free` is called once when the slot is free. */
  startIn(
    work: LeafWork<Value>,
    { ends, now, free }: { readonly ends: number; readonly now: number; readonly free: () => void },
  ): void {
    this.#free = free;
    this.#begin(work, ends, now);
  }

  #begin(work: LeafWork<Value>, ends: number, now: number): void {
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
  }

  release(): void {
    this.#released = true;
    this.#leave();
  }

  #leave(): void {
    const free = this.#free;
    this.#free = undefined;
    free?.();
  }

  fail(error: unknown): void {
    if (this.settled) return;
    this.#settle();
    this.#controller?.abort(error);
    this.#sink.reject(error);
  }

  expire(code: 'timeout' | 'event_loop_blocked'): void {
    const { label } = this.#options;
    if (this.#started === undefined) {
      this.fail(outOfTime(label));
      return;
    }
    const { subject, place, option } = describe(label);
    const { timeoutMs = Number.POSITIVE_INFINITY } = this.#options;
    if (code !== 'timeout') {
      const ms = elapsedOn(this.#host.clock) - this.#started;
      this.fail(
        new ReviewLoopError(code, `${subject} blocked the event loop for ${ms} ms${place}`),
      );
      return;
    }
    const [why, bound] =
      this.#limit < timeoutMs
        ? [': the time of its review was over', reviewOption]
        : [`: it took more than ${timeoutMs} ms`, option];
    const said = `${subject} timed out${place}${why}`;
    this.fail(timeoutAfter(timeoutOf(bound), said, lastFault(this.#controller?.signal)));
  }

  #done(value: Value, ifLate: 'timeout' | 'event_loop_blocked'): void {
    if (this.#late) this.expire(ifLate);
    else if (!this.settled) {
      this.#settle();
      this.#sink.resolve(value);
    }
  }

  get #late(): boolean {
    return elapsedOn(this.#host.clock) > this.deadline;
  }

  #settle(): void {
    this.settled = true;
    this.#host.forget(this);
    this.#leave();
  }
}

export function outOfTime(label: string): ReviewLoopError {
  const { subject, place } = describe(label);
  return new ReviewLoopError(
    timeoutOf(reviewOption),
    `${subject} was not started${place}: no time was left`,
  );
}

const reviewOption = '`timeouts.reviewMs` or `timeouts.iterationMs`';

/** The fix names the option. Faces with other options leave it out. */
export function timeoutOf(option: string): ErrorEntry {
  const { timeout } = coreErrors;
  return { ...timeout, fix: timeout.fix.replace('the timeout', option) };
}

export const checkOption = '`timeouts.checkMs`';

function describe(label: string): {
  readonly subject: string;
  readonly place: string;
  readonly option: string;
} {
  const ofReview = /^iter:(\d+)\/(.*)/s.exec(label);
  const iteration = ofReview?.[1];
  const rest = ofReview?.[2] ?? label;
  const judged = /^(review|fix):([^/]*)/.exec(rest);
  const place = iteration === undefined ? '' : ` in review ${iteration}`;
  if (judged !== null) {
    const [, kind, id] = judged;
    const subject = kind === 'fix' ? `the fixer of '${id}'` : `'${id}'`;
    return { subject, place, option: checkOption };
  }
  const subject = rest.split('/')[0] ?? rest;
  if (subject !== 'produce' && subject !== 'address')
    return { subject, place, option: checkOption };
  const after = iteration === undefined ? '' : ` after review ${iteration}`;
  return { subject, place: after, option: `\`timeouts.${subject}Ms\`` };
}

export function isThenable<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

export function within<Value>(
  clock: Clock,
  ms: number,
  label: string,
  hook: Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () =>
      reject(new ReviewLoopError('timeout', `${label} timed out after ${ms} ms`)),
    );
    hook.then(resolve, reject).finally(cancel);
  });
}
