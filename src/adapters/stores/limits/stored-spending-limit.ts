import { checkKeys } from '../../../core/options.js';
import {
  checkExpectedUsd,
  checkTimeZone,
  checkUsdPerDay,
  type SpendingDay,
  type SpendingLimit,
  spendingLimitReached,
} from '../../../ports/spending-limit.js';
import { checkKey } from './rate-pace.js';

export interface SharedSpendingLimitOptions {
  /** The name of the limit. All processes that use it share it. */
  readonly key: string;
  /** Largest cost of one day in all processes, in US dollars; above 0. */
  readonly usdPerDay: number;
  /** The time zone in which a day begins, such as `Europe/Berlin`. @default 'UTC' */
  readonly timeZone?: string | undefined;
}

export interface SpendingRows {
  /** Reserves a cost and returns the id of the reservation; `undefined` if it does not fit. */
  readonly reserve: (usd: number) => Promise<string | undefined>;
  /** Replaces a reservation with its cost; without a cost, the reserved one counts. */
  readonly settle: (id: string, usd: number | undefined) => Promise<void>;
  readonly today: () => Promise<SpendingDay>;
  /** Removes old reservations of processes that ended before they settled. */
  readonly tidy: () => Promise<void>;
}

export function checkedSpending(
  options: SharedSpendingLimitOptions,
): SharedSpendingLimitOptions & { readonly timeZone: string } {
  checkKeys('spendingLimit', options, ['key', 'usdPerDay', 'timeZone']);
  const { key, usdPerDay, timeZone = 'UTC' } = options;
  checkKey('key', key);
  checkUsdPerDay(usdPerDay);
  checkTimeZone(timeZone);
  return { key, usdPerDay, timeZone };
}

/** A reservation of a process that dies counts until the day ends: its call may have been paid. */
export function storedSpendingLimit(
  rows: SpendingRows,
  usdPerDay: number,
  work: OpenWork,
): SpendingLimit {
  let tidied = false;
  return {
    usdPerDay,
    today: rows.today,
    reserve: async (usd) => {
      checkExpectedUsd(usd);
      const id = await work.track(rows.reserve(usd));
      if (id === undefined) throw spendingLimitReached(await rows.today(), usdPerDay, usd);
      if (!tidied) {
        tidied = true;
        work.background(rows.tidy());
      }
      let open = true;
      return {
        settle: (cost) => {
          if (!open) return;
          open = false;
          // if it fails, the reserved cost counts
          work.background(rows.settle(id, cost));
        },
      };
    },
  };
}

/** Work that must end before a store is closed. */
export class OpenWork {
  readonly #open = new Set<Promise<unknown>>();

  track<Value>(work: Promise<Value>): Promise<Value> {
    this.background(work);
    return work;
  }

  /** Waits for work whose failure changes nothing. */
  background(work: Promise<unknown>): void {
    const ended = work
      .catch(() => {})
      .finally(() => {
        this.#open.delete(ended);
      });
    this.#open.add(ended);
  }

  /** Resolves when all work has ended. Never rejects. */
  async done(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }
}
