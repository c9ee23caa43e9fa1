import { type KnownError, ReviewLoopError } from './errors.js';

class Waiting {
  static readonly #known = new WeakMap<AbortSignal, Waiting>();
  readonly #callbacks = new Set<{ readonly call: () => void }>();
  readonly #signal: AbortSignal;
  readonly #notify = (): void => {
    Waiting.#known.delete(this.#signal);
    for (const { call } of [...this.#callbacks]) call();
  };

  private constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  static for(signal: AbortSignal): Waiting {
    const known = Waiting.#known.get(signal);
    if (known !== undefined) return known;
    const waiting = new Waiting(signal);
    Waiting.#known.set(signal, waiting);
    signal.addEventListener('abort', waiting.#notify, { once: true });
    return waiting;
  }

  add(call: () => void): () => void {
    const entry = { call };
    this.#callbacks.add(entry);
    return () => {
      if (!this.#callbacks.delete(entry) || this.#callbacks.size > 0) return;
      Waiting.#known.delete(this.#signal);
      this.#signal.removeEventListener('abort', this.#notify);
    };
  }
}

/**
 * Calls back once when a signal is aborted. A signal that is already aborted never calls back. All
 * callbacks of a signal share one listener, because Node warns about more than ten.
 *
 * @returns A function that cancels the callback. The last one removes the listener.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  return signal === undefined ? () => {} : Waiting.for(signal).add(callback);
}

const faults = new WeakMap<AbortSignal, ReviewLoopError>();

const outers = new WeakMap<AbortSignal, AbortSignal>();

/** For a call that failed and will be tried again. */
export function noteFault(signal: AbortSignal, fault: ReviewLoopError): void {
  for (let at: AbortSignal | undefined = signal; at !== undefined; at = outers.get(at))
    faults.set(at, fault);
}

/** Lets the faults of a signal count for the signal that it was made from. */
export function linkFaults(inner: AbortSignal, outer: AbortSignal): void {
  if (inner !== outer) outers.set(inner, outer);
}

export function lastFault(signal: AbortSignal | undefined): ReviewLoopError | undefined {
  return signal && faults.get(signal);
}

/** Names the fault that used up the time, if there was one. */
export function timeoutAfter(
  error: KnownError,
  what: string,
  fault: ReviewLoopError | undefined,
): ReviewLoopError {
  if (fault === undefined) return new ReviewLoopError(error, what, { retryable: true });
  const both = `${what}; before that: ${fault.what}`;
  return new ReviewLoopError(error, both, { retryable: true, cause: fault });
}
