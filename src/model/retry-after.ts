import { systemClock } from '../ports/clock.js';

/** Returns the value of a header, from `Headers` or a plain object. Case does not matter. */
function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}

/**
 * Returns how long a service asks to wait, in milliseconds. Services send seconds, a date, or
 * milliseconds.
 */
export function retryAfterOf(
  headers: unknown,
  now: () => number = systemClock.now,
): number | undefined {
  const milliseconds = Number(headerOf(headers, 'retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headerOf(headers, 'retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}
