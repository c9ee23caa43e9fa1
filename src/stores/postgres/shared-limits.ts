import type { Limiter } from '../../ports/limiter.js';
import type { Random } from '../../ports/random.js';
import type { RateLimit } from '../../ports/rate-limit.js';
import type { SpendingLimit } from '../../ports/spending-limit.js';
import { BookedRateLimit } from '../limits/booked-rate-limit.js';
import { OpenWork } from '../limits/open-work.js';
import { ratePace, type SharedRateLimitOptions } from '../limits/rate-pace.js';
import { checkedSlots, type SharedLimiterOptions, SlotLimiter } from '../limits/slot-limiter.js';
import {
  checkedSpending,
  type SharedSpendingLimitOptions,
  storedSpendingLimit,
} from '../limits/stored-spending-limit.js';
import type { PostgresDatabase } from './postgres-database.js';
import { rateLimitRow } from './rate-limit-row.js';
import { slotRows } from './slot-rows.js';
import { spendingRows } from './spending-rows.js';

/** The limits of a store: all processes that use its schema share them. */
export interface SharedLimits {
  /**
   * Returns a limit on calls and tokens in any minute, for `withRateLimit`.
   *
   * @throws ReviewLoopError `invalid_options`
   */
  readonly rateLimit: (options: SharedRateLimitOptions) => RateLimit;
  /**
   * Returns a limit on the calls that run at a time, for `limiter` of a pipeline. The slots of a
   * process that dies are free when its lease is over.
   *
   * @throws ReviewLoopError `invalid_options`
   */
  readonly limiter: (options: SharedLimiterOptions) => Limiter;
  /**
   * Returns a limit on what calls cost in one day, for `withSpendingLimit`. The day is that of the
   * server's clock.
   *
   * @throws ReviewLoopError `invalid_options`
   */
  readonly spendingLimit: (options: SharedSpendingLimitOptions) => SpendingLimit;
}

/** What {@link sharedLimits} needs. */
export interface SharedLimitsOptions {
  readonly database: PostgresDatabase;
  readonly random: Random;
  /** Makes sure that this process has a lease. */
  readonly enlist: () => Promise<void>;
}

/** Returns the limits in a database; `done` waits for what they still write. */
export function sharedLimits({
  database,
  random,
  enlist,
}: SharedLimitsOptions): SharedLimits & { readonly done: () => Promise<void> } {
  const { clock } = database;
  const work = new OpenWork();
  const token = random.nonce;
  return {
    rateLimit: (options) => {
      const pace = ratePace(options);
      return new BookedRateLimit(rateLimitRow(database, options.key, pace), clock);
    },
    limiter: (options) => {
      const { key, concurrency } = checkedSlots(options);
      const rows = slotRows({ database, key, concurrency, enlist, token });
      return new SlotLimiter(
        { ...rows, free: (slots) => work.track(rows.free(slots)) },
        concurrency,
        clock,
      );
    },
    spendingLimit: (options) => {
      const checked = checkedSpending(options);
      const rows = spendingRows({ database, token, ...checked });
      return storedSpendingLimit(rows, checked.usdPerDay, work);
    },
    done: () => work.done(),
  };
}
