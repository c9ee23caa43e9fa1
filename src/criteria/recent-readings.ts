/** What was read from a file. */
interface Reading {
  readonly file: string;
  readonly source: string;
}

/**
 * The last files that were read. Many rules need the same ones, so they stay until memory is
 * needed.
 */
export class RecentReadings<Value extends Reading> {
  readonly #held: WeakRef<Value>[] = [];
  readonly #most: number;

  /** Creates an empty list. @param most - How many readings stay. @default 8 */
  constructor(most = 8) {
    this.#most = most;
  }

  /** Returns what was read from this text of a file, if it is still known. */
  find(file: string, source: string): Value | undefined {
    for (const held of this.#held) {
      const value = held.deref();
      if (value?.file === file && value.source === source) return value;
    }
    return undefined;
  }

  /** Keeps a reading, in place of the oldest. */
  keep(value: Value): Value {
    this.#held.unshift(new WeakRef(value));
    this.#held.length = Math.min(this.#held.length, this.#most);
    return value;
  }
}
