import { type Clock, elapsedOn, systemClock } from '../../ports/clock.js';

interface Parsed {
  readonly file: string;
  readonly source: string;
}

/** Returns what a text of a file says, or the reason why it cannot be read. */
type Parse<Value extends Parsed> = (file: string, source: string) => Promise<Value | string>;

/** How many texts of one file stay: its versions, or the parts that are read one by one. */
const mostOfOneFile = 8;

const mostFiles = 1000;

/**
 * Returns a function that parses each text of a file once for all rules that ask for it, also at the
 * same time. What was parsed stays until memory is needed.
 */
export function parsedOnce<Value extends Parsed>(parse: Parse<Value>): Parse<Value> {
  const held = new Map<string, readonly WeakRef<Value>[]>();
  const underWay = new Map<string, Promise<Value | string>>();

  const keep = (value: Value): void => {
    const { file } = value;
    const earlier = held.get(file) ?? [];
    held.delete(file);
    held.set(file, [new WeakRef(value), ...earlier.slice(0, mostOfOneFile - 1)]);
    const [oldest] = held.keys();
    if (held.size > mostFiles && oldest !== undefined) held.delete(oldest);
  };
  const read: Parse<Value> = async (file, source) => {
    const value = await parse(file, source);
    if (typeof value !== 'string') keep(value);
    return value;
  };

  return async (file, source) => {
    for (const one of held.get(file) ?? []) {
      const value = one.deref();
      if (value?.source === source) return value;
    }
    const key = `${file}\0${source}`;
    const reading = underWay.get(key) ?? read(file, source).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}

/** As long as the object lives. */
export function onceFor<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** The longest time in which checks compute before other work runs, in milliseconds. */
const sliceMs = 50;

/**
 * Lets other work run between the parts of checks that only compute: timers, events, what a person
 * types. All checks of a process wait for the same turn, so that those that read the same files
 * stay together.
 */
export class EventTurns {
  readonly #clock: Clock;
  /** When checks began to compute; `undefined` once other work has run. */
  #since: number | undefined;
  #turn: Promise<void> | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Returns the turn of other work to wait for; `undefined` if it had one a short time ago. */
  next(): Promise<void> | undefined {
    if (this.#turn !== undefined) return this.#turn;
    const now = elapsedOn(this.#clock);
    if (this.#since === undefined) {
      this.#since = now;
      this.#clock.after(0, () => this.#begin());
    }
    if (now - this.#since < sliceMs) return undefined;
    this.#turn = new Promise((resolve) => {
      this.#clock.after(0, () => {
        this.#begin();
        resolve();
      });
    });
    return this.#turn;
  }

  #begin(): void {
    this.#since = undefined;
    this.#turn = undefined;
  }
}

export const eventTurns = new EventTurns();

export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  turns: Pick<EventTurns, 'next'> = eventTurns,
): Promise<Awaited<Result>[]> {
  const results: Awaited<Result>[] = [];
  for (const item of items) {
    const turn = turns.next();
    if (turn !== undefined) await turn;
    results.push(await map(item));
  }
  return results;
}
