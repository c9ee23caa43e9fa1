/** What one process asks of a rate limit that it shares with others. */
export interface BookingRequest {
  /** The expected tokens of the calls that wait, in their order. */
  readonly tokens: readonly number[];
  /** Tokens to correct: those of settled calls above what they had booked, or below 0. */
  readonly owed: number;
  /** Tokens that no call announced. */
  readonly spent: number;
  /** How long no call may start, because the service refused one, in milliseconds. */
  readonly holdMs: number;
}

/** The answer to a {@link BookingRequest}. */
export interface Booking {
  /** For each call with a place, in their order: after how many milliseconds it starts. */
  readonly waits: readonly number[];
  /** After how many milliseconds the other calls ask again. */
  readonly againMs: number;
}

/** The rows of a rate limit. All processes see the same ones. */
export interface RateBook {
  /** Books the start of each call by the clock of the store, as far as the horizon. */
  readonly book: (request: BookingRequest) => Promise<Booking>;
}

/** A shared rate limit in numbers that its rows can be computed from. */
export interface RatePace {
  /** Milliseconds between two calls; 0 without a limit. */
  readonly callMs: number;
  /** How many calls may start at once. */
  readonly burst: number;
  /** Milliseconds that one token takes; 0 without a limit. */
  readonly tokenMs: number;
  /** Tokens that may be used at once. */
  readonly tokenBurst: number;
  /** The most tokens that one call counts with. */
  readonly mostTokens: number;
  /** How far into the future a call gets a place, in milliseconds. */
  readonly horizonMs: number;
}
