import { ReviewLoopError } from '../core/errors.js';
import { checkKeys, checkPositive, invalid } from '../core/options.js';
import { type Clock, systemClock } from './clock.js';
import { portErrors } from './errors.js';

/** Options of a {@link spendingLimit}. */
export interface SpendingLimitOptions {
  /** Largest cost of one day, in US dollars; above 0. */
  readonly usdPerDay: number;
  /** The time zone in which a day begins, such as `Europe/Berlin`. @default 'UTC' */
  readonly timeZone?: string | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

export interface SpendingReservation {
  /**
   * Replaces the reservation with what the call cost, in US dollars. If nobody knows the cost, pass
   * nothing: the reserved cost counts, and the call is counted in `unknownCalls`. Only the first call
   * of this function counts.
   */
  readonly settle: (usd?: number) => void;
}

export interface SpendingDay {
  /** The date of the day: `2026-11-23`. */
  readonly day: string;
  /** The cost of the settled calls, in US dollars. */
  readonly spentUsd: number;
  /** The expected cost of calls in progress, and of calls whose process died. */
  readonly reservedUsd: number;
  /** How many settled calls have an unknown cost. */
  readonly unknownCalls: number;
  /** When the day ends, in ISO 8601. */
  readonly endsAt: string;
}

/** A limit on what calls cost in one day, over runs. Several providers can share it. */
export interface SpendingLimit {
  /** Largest cost of one day, in US dollars. */
  readonly usdPerDay: number;
  /**
   * Reserves the expected cost of a call, in US dollars. An expected cost of 0 fits until the limit
   * is reached.
   *
   * Rejects with `spending_limit_reached` if less is left of the day. A shared limit rejects with
   * `store_busy` if it cannot reach its store.
   */
  readonly reserve: (usd: number, signal?: AbortSignal) => Promise<SpendingReservation>;
  /** Returns what was counted today. */
  readonly today: () => Promise<SpendingDay>;
}

/**
 * Creates a limit on what calls cost in one day, for {@link withSpendingLimit}. It counts in this
 * process; `spendingLimit` of a store counts for all processes.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const daily = spendingLimit({ usdPerDay: 20, timeZone: 'Europe/Berlin' });
 * const prices = { inputPerMillion: 3, outputPerMillion: 15 };
 * const limited = withSpendingLimit(provider, daily, { prices });
 * ```
 */
export function spendingLimit(options: SpendingLimitOptions): SpendingLimit {
  checkKeys('spendingLimit', options, ['usdPerDay', 'timeZone', 'clock']);
  const { usdPerDay, timeZone = 'UTC', clock = systemClock } = options;
  checkUsdPerDay(usdPerDay);
  checkTimeZone(timeZone);
  let current = newDay(clock.now(), timeZone);
  const counted = (): Day => {
    if (clock.now() >= current.ends) current = newDay(clock.now(), timeZone);
    return current;
  };
  return {
    usdPerDay,
    today: async () => shown(counted()),
    reserve: async (usd) => {
      checkExpectedUsd(usd);
      const day = counted();
      if (!fitsDay(day.spentUsd + day.reservedUsd, usd, usdPerDay))
        throw spendingLimitReached(shown(day), usdPerDay, usd);
      day.reservedUsd += usd;
      let open = true;
      return {
        settle: (cost) => {
          if (!open) return;
          open = false;
          day.reservedUsd -= usd;
          day.spentUsd += cost ?? usd;
          if (cost === undefined) day.unknownCalls += 1;
        },
      };
    },
  };
}

interface Day {
  readonly day: string;
  readonly ends: number;
  spentUsd: number;
  reservedUsd: number;
  unknownCalls: number;
}

function newDay(now: number, timeZone: string): Day {
  return {
    day: dayOf(now, timeZone),
    ends: dayEnd(now, timeZone),
    spentUsd: 0,
    reservedUsd: 0,
    unknownCalls: 0,
  };
}

function shown({ ends, ...day }: Day): SpendingDay {
  return { ...day, endsAt: new Date(ends).toISOString() };
}

/** Sums of fractions differ in the last digits. */
const rounding = 1e-9;

function fitsDay(used: number, usd: number, usdPerDay: number): boolean {
  return used + usd <= usdPerDay + rounding && used < usdPerDay - rounding;
}

export function checkUsdPerDay(value: unknown): void {
  checkPositive('usdPerDay', value ?? 0);
  if (!Number.isFinite(value)) throw invalid('usdPerDay', 'a finite number', value);
}

export function checkExpectedUsd(usd: unknown): void {
  if (typeof usd !== 'number' || !Number.isFinite(usd) || usd < 0)
    throw invalid('usd', 'a number from 0', usd);
}

export function spendingLimitReached(
  day: SpendingDay,
  usdPerDay: number,
  requestedUsd: number,
): ReviewLoopError {
  const { spentUsd, reservedUsd, unknownCalls, endsAt } = day;
  const parts = [
    `${usdText(spentUsd)} USD spent`,
    ...(reservedUsd > rounding
      ? [`${usdText(reservedUsd)} USD reserved by calls in progress`]
      : []),
    ...(requestedUsd > 0 ? [`${usdText(requestedUsd)} USD requested`] : []),
    ...(unknownCalls > 0 ? [`${unknownCalls} of the calls at an unknown price`] : []),
  ];
  return new ReviewLoopError(
    portErrors.spending_limit_reached,
    `the spending limit of ${usdText(usdPerDay)} USD a day is reached: ${parts.join(', ')}; the day ends at ${endsAt}`,
    { value: { ...day, usdPerDay, requestedUsd } },
  );
}

/** Returns an amount with two decimals; a smaller one with two digits that are not 0. */
function usdText(usd: number): string {
  return usd > 0 && usd < 0.01 ? String(Number(usd.toPrecision(2))) : usd.toFixed(2);
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function checkTimeZone(timeZone: unknown): void {
  try {
    // databases read an offset such as +02:00 with the other sign
    if (typeof timeZone === 'string' && /^[a-z]/i.test(timeZone)) {
      formatOf(timeZone);
      return;
    }
  } catch {
    // an unknown zone
  }
  throw invalid('timeZone', "the name of a time zone, such as 'Europe/Berlin'", timeZone);
}

/** As in `2026-11-23`. */
function dayOf(time: number, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Days with a change of the clocks have up to 25 hours; some zones once had more. */
const longestDayMs = 50 * 3_600_000;

/** In milliseconds since 1970. */
function dayEnd(time: number, timeZone: string): number {
  const day = dayOf(time, timeZone);
  let [last, next] = [Math.floor(time), Math.floor(time) + longestDayMs];
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2);
    if (dayOf(middle, timeZone) === day) last = middle;
    else next = middle;
  }
  return next;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  formats.set(timeZone, known);
  return known;
}
