import { invalid } from '../core/options.js';

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws ReviewLoopError `invalid_options` unless the value is a time zone that this platform knows. */
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

/** Returns the date of a time in a time zone: `2026-11-23`. */
export function dayOf(time: number, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Days with a change of the clocks have up to 25 hours; some zones once had more. */
const longestDayMs = 50 * 3_600_000;

/** Returns the end of the day that contains a time, in milliseconds since 1970. */
export function dayEnd(time: number, timeZone: string): number {
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
