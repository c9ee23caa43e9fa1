import { type Clock, elapsedOn, systemClock } from '../ports/clock.js';

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

/** The turns of this process. */
export const eventTurns = new EventTurns();

/** Calls a function with each item, and lets other work run in between. */
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
