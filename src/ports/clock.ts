/** The time. Tests replace it with a clock that they set. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Milliseconds since any start; they never go back. Durations are measured with it, so that a
   * change of the system time does not affect them.
   *
   * @default `now`
   */
  readonly elapsed?: (() => number) | undefined;
  /** Calls back once after `ms` milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** In milliseconds. Longer delays are split. */
const longest = 2 ** 31 - 1;

/** The system clock. */
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

export function elapsedOn(clock: Clock): number {
  return clock.elapsed === undefined ? clock.now() : clock.elapsed();
}
