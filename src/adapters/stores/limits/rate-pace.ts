import {
  checkPositive,
  checkTable,
  invalid,
  type OptionTable,
  required,
  shaped,
  whole,
} from '../../../core/options.js';

export interface SharedRateLimitOptions {
  /** The name of the limit. All processes that use it share it. */
  readonly key: string;
  /** How many calls start in any minute, in all processes; from 1. @default unlimited */
  readonly requestsPerMinute?: number | undefined;
  /** How many tokens calls use in any minute, in all processes; from 1. @default unlimited */
  readonly tokensPerMinute?: number | undefined;
  /**
   * How many calls may start at once after a pause; from 1 to `requestsPerMinute`. The others start
   * evenly, `burst - 1` fewer in a minute.
   *
   * @default a tenth of `requestsPerMinute`
   */
  readonly burst?: number | undefined;
  /**
   * How many tokens calls may use at once after a pause; above 0, below `tokensPerMinute`. As many
   * fewer are used in a minute of even work.
   *
   * @default a tenth of `tokensPerMinute`
   */
  readonly tokenBurst?: number | undefined;
  /**
   * How far into the future a call gets its place, in milliseconds. A process that ends while its
   * calls wait wastes their places.
   *
   * @default 2000
   */
  readonly horizonMs?: number | undefined;
}

export const checkKey = required(shaped('a name of 1 to 200 characters', /^[^\0]{1,200}$/));

const table: OptionTable<SharedRateLimitOptions> = {
  ...{ key: checkKey, horizonMs: checkPositive },
  ...{ requestsPerMinute: whole(1), tokensPerMinute: whole(1), burst: whole(1) },
  tokenBurst: checkPositive,
};

const minute = 60_000;

/**
 * In any minute, `burst` calls start at once and the rest evenly, so that both together do not
 * exceed the limit.
 */
export function ratePace(options: SharedRateLimitOptions): RatePace {
  checkTable('rateLimit', table, options);
  const { requestsPerMinute, tokensPerMinute, horizonMs = 2000 } = options;
  const {
    burst = Math.max(1, Math.floor((requestsPerMinute ?? 1) / 10)),
    tokenBurst = (tokensPerMinute ?? 1) / 10,
  } = options;
  if (requestsPerMinute !== undefined && burst > requestsPerMinute)
    throw invalid('burst', `at most \`requestsPerMinute\` (${requestsPerMinute})`, burst);
  if (tokensPerMinute !== undefined && tokenBurst >= tokensPerMinute)
    throw invalid('tokenBurst', `below \`tokensPerMinute\` (${tokensPerMinute})`, tokenBurst);
  return {
    callMs: requestsPerMinute === undefined ? 0 : minute / (requestsPerMinute - burst + 1),
    burst,
    tokenMs: tokensPerMinute === undefined ? 0 : minute / (tokensPerMinute - tokenBurst),
    tokenBurst,
    mostTokens: tokensPerMinute ?? 0,
    horizonMs,
  };
}

export interface BookingRequest {
  readonly tokens: readonly number[];
  /** Tokens to correct: those of settled calls above what they had booked, or below 0. */
  readonly owed: number;
  readonly spent: number;
  /** How long no call may start, because the service refused one, in milliseconds. */
  readonly holdMs: number;
}

export interface Booking {
  /** For each call with a place, in their order: after how many milliseconds it starts. */
  readonly waits: readonly number[];
  /** After how many milliseconds the other calls ask again. */
  readonly againMs: number;
}

/** All processes see the same rows. */
export interface RateBook {
  readonly book: (request: BookingRequest) => Promise<Booking>;
}

export interface RatePace {
  /** Milliseconds between two calls; 0 without a limit. */
  readonly callMs: number;
  /** How many calls may start at once. */
  readonly burst: number;
  /** Milliseconds that one token takes; 0 without a limit. */
  readonly tokenMs: number;
  /** Tokens that may be used at once. */
  readonly tokenBurst: number;
  readonly mostTokens: number;
  /** How far into the future a call gets a place, in milliseconds. */
  readonly horizonMs: number;
}
