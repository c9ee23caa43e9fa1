import { InvalidArgumentError } from 'commander';

export function wholeNumber(value: string): number {
  return whole(value, 1, 999_999_999, 'from 1');
}

export function countFromZero(value: string): number {
  return whole(value, 0, 999_999, 'from 0');
}

export function repetitionCount(value: string): number {
  return whole(value, 1, 9999, 'from 1 to 9999');
}

/** An optional suffix is k (1000) or m (1000000). */
export function byteCount(value: string): number {
  const [, digits, unit = ''] = /^([1-9]\d{0,11})([km]?)$/i.exec(value) ?? [];
  if (digits === undefined)
    throw new InvalidArgumentError('Expected a number of bytes from 1, such as 500k or 2m.');
  return Number(digits) * (byteUnits[unit.toLowerCase()] ?? 1);
}

const byteUnits: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

export function seconds(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number <= 86_400))
    throw new InvalidArgumentError('Expected a number of seconds above 0, at most 86400.');
  return number;
}

export function amount(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number <= 1_000_000))
    throw new InvalidArgumentError('Expected an amount above 0, at most 1000000.');
  return number;
}

export function share(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!(number >= 0 && number <= 1))
    throw new InvalidArgumentError('Expected a number from 0 to 1.');
  return number;
}

export function openShare(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number < 1))
    throw new InvalidArgumentError('Expected a number above 0 and below 1.');
  return number;
}

function whole(value: string, least: number, most: number, range: string): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  return number;
}

/** Such as 12h, 7d or 4w, to milliseconds. */
export function timeSpan(value: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(value) ?? [];
  if (unit === '') throw new InvalidArgumentError('Expected a time span, such as 12h, 7d or 4w.');
  return Number(count) * (spans[unit] ?? 0);
}

/** Uses the largest unit that divides them, as `timeSpan` reads it. */
export function timeSpanText(value: number): string {
  const [unit, size] = Object.entries(spans).findLast(([, size]) => value % size === 0) ?? ['m', 1];
  return `${value / size}${unit}`;
}

const spans: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
