import { onAbort } from '../core/abort-signal.js';
import type { EventPlace, ReviewEventName, RunEvent } from '../core/event.js';
import type { Outcome } from '../core/outcome.js';
import type { Around } from '../core/span.js';
import { known, type RunListeners } from './events.js';
import { checkRunOptions, type RunOptions } from './run-options.js';

/**
 * The events of one run, in order, for `for await`. The run starts at once. Leaving the loop early
 * cancels the run, and waits until it has ended.
 */
export interface RunStream<Output> extends AsyncIterableIterator<RunEvent, undefined, undefined> {
  /**
   * The outcome. It rejects on misuse, as `run` does. After it has been read, the run no longer
   * waits for a slow reader.
   */
  readonly outcome: Promise<Outcome<Output>>;
  /** Cancels the run unless it has ended, and resolves when it has. Unread events are dropped. */
  readonly return: () => Promise<IteratorReturnResult<undefined>>;
}

/** How many unread events there may be before the next review waits for the reader. */
const highWater = 256;

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

interface Reader {
  readonly resolve: (result: IteratorResult<RunEvent, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

export class EventStream<Output> implements Pick<RunStream<Output>, 'next' | 'return' | 'outcome'> {
  readonly #run: Promise<Outcome<Output>>;
  readonly #own = new AbortController();
  #unread: RunEvent[] = [];
  #readers: Reader[] = [];
  /** Lets a run go on that waits for the reader. */
  #resume: (() => void) | undefined;
  #isBounded = true;
  #isLast = false;
  #hasLeft = false;
  #isOver = false;
  /** The error of misuse, until a reader has received it. */
  #fault: { readonly error: unknown } | undefined;

  constructor(run: (options: RunOptions) => Promise<Outcome<Output>>, given: RunOptions = {}) {
    this.#run = this.#start(run, given);
    this.#run.then(
      () => this.#close(),
      (error: unknown) => {
        this.#fault = { error };
        this.#close();
      },
    );
  }

  get outcome(): Promise<Outcome<Output>> {
    this.#goOn();
    return this.#run;
  }

  async next(): Promise<IteratorResult<RunEvent, undefined>> {
    const value = this.#unread.shift();
    if (value !== undefined) {
      if (this.#unread.length < highWater) this.#resume?.();
      return { done: false, value };
    }
    if (!this.#isOver)
      return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
    this.#throwFault();
    return done;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#hasLeft = true;
    this.#unread = [];
    if (!this.#isLast) this.#own.abort(new Error('the reader of the events left'));
    this.#goOn();
    await this.#run.catch(() => {});
    this.#throwFault();
    return done;
  }

  async #start(
    run: (options: RunOptions) => Promise<Outcome<Output>>,
    given: RunOptions,
  ): Promise<Outcome<Output>> {
    checkRunOptions(given);
    const { signal, around } = given;
    if (signal?.aborted) this.#own.abort(signal.reason);
    const ignore = onAbort(signal, () => this.#own.abort(signal?.reason));
    const paced: Around = async (span, next) => {
      if (span.kind === 'review') await this.#room();
      return around === undefined ? next() : around(span, next);
    };
    try {
      const on = this.#listeners(given.on);
      return await run({ ...given, signal: this.#own.signal, on, around: paced });
    } finally {
      ignore();
    }
  }

  /** Listeners for every event, which also call those of the caller. */
  #listeners(own: RunListeners = {}): RunListeners {
    const names = Object.keys(known) as ReviewEventName[];
    return Object.fromEntries(
      names.map((name) => [
        name,
        (payload: EventPlace): unknown => {
          this.#take(Object.freeze({ type: name, ...payload }) as RunEvent);
          const listener = own[name];
          return listener && Reflect.apply(listener, undefined, [payload]);
        },
      ]),
    );
  }

  #take(event: RunEvent): void {
    if (event.type === 'run-end') this.#isLast = true;
    if (this.#hasLeft) return;
    const reader = this.#readers.shift();
    if (reader === undefined) this.#unread.push(event);
    else reader.resolve({ done: false, value: event });
  }

  /** Resolves when the reader has caught up. */
  async #room(): Promise<void> {
    if (!this.#isBounded || this.#unread.length < highWater) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  #goOn(): void {
    this.#isBounded = false;
    this.#resume?.();
  }

  #close(): void {
    this.#isOver = true;
    for (const reader of this.#readers.splice(0)) this.next().then(reader.resolve, reader.reject);
  }

  #throwFault(): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault !== undefined) throw fault.error;
  }
}
