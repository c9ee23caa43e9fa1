/** Work that must end before a store is closed. */
export class OpenWork {
  readonly #open = new Set<Promise<unknown>>();

  /** Returns the same promise. */
  track<Value>(work: Promise<Value>): Promise<Value> {
    this.background(work);
    return work;
  }

  /** Waits for work whose failure changes nothing. */
  background(work: Promise<unknown>): void {
    const ended = work
      .catch(() => {})
      .finally(() => {
        this.#open.delete(ended);
      });
    this.#open.add(ended);
  }

  /** Resolves when all work has ended. Never rejects. */
  async done(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }
}
