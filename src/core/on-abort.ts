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
