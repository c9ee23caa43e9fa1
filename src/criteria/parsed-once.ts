interface Reading {
  readonly file: string;
  readonly source: string;
}

/** How many readings of one file stay: its versions, or the parts that are read one by one. */
const mostOfOneFile = 8;

/**
 * The files that were read last. Many rules need the same ones, so they stay until memory is
 * needed.
 */
export class RecentReadings<Value extends Reading> {
  readonly #held = new Map<string, readonly WeakRef<Value>[]>();
  readonly #most: number;

  /** Creates an empty list. @param most - The readings of how many files stay. @default 1000 */
  constructor(most = 1000) {
    this.#most = most;
  }

  /** Returns what was read from this text of a file, if it is still known. */
  find(file: string, source: string): Value | undefined {
    for (const held of this.#held.get(file) ?? []) {
      const value = held.deref();
      if (value?.source === source) return value;
    }
    return undefined;
  }

  /** Keeps a reading, in place of the oldest of its file, or of the file that was read first. */
  keep(value: Value): Value {
    const { file } = value;
    const earlier = this.#held.get(file) ?? [];
    this.#held.delete(file);
    this.#held.set(file, [new WeakRef(value), ...earlier.slice(0, mostOfOneFile - 1)]);
    const [oldest] = this.#held.keys();
    if (this.#held.size > this.#most && oldest !== undefined) this.#held.delete(oldest);
    return value;
  }
}
