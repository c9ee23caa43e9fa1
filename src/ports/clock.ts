/** Time, as a port: tests drive it by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back once after `ms`; the result cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The longest delay that timers take; longer ones would fire at once. */
const longest = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, longest));
    return () => clearTimeout(timer);
  },
};
