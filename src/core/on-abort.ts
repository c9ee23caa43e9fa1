/** Who waits for a signal. */
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
 * Calls back, once, when a signal that others may wait for too is aborted; never for one that is aborted already. However many wait, the
 * signal has one listener: Node takes more than ten for a leak, and says so.
 *
 * @returns Calls it off; the last one that does takes the listener away.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  return signal === undefined ? () => {} : Waiting.for(signal).add(callback);
}
