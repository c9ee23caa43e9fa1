/** Time, as a port: tests drive it by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds from any beginning that only ever go on: how long something takes must not depend on whether the time of the machine is set meanwhile. @default now */
  readonly elapsed?: (() => number) | undefined;
  /** Calls back once after `ms`; the result cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The longest delay that timers take; longer ones are waited for in parts. */
const longest = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => Math.floor(performance.now()),
  after: (ms, callback) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number): void => {
      timer =
        left > longest
          ? setTimeout(() => wait(left - longest), longest)
          : setTimeout(callback, left);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** The time of a clock by which to measure how long something takes. */
export function elapsedOn(clock: Clock): number {
  return clock.elapsed === undefined ? clock.now() : clock.elapsed();
}
