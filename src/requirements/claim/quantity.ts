/**
 * How many things a requirement asks for. The gap between the bounds is what its words leave open:
 * "three images" is satisfied by three, violated by two, and unclear with four.
 */
export interface Quantity {
  /** The least number that satisfies it. */
  readonly from: number;
  /** The greatest number that satisfies it. */
  readonly to: number;
  /** Fewer than this violate it. */
  readonly least: number;
  /** More than this violate it. */
  readonly most: number;
}

const many = Number.POSITIVE_INFINITY;

export function atLeast(n: number): Quantity {
  return { from: n, to: many, least: n, most: many };
}

export function atMost(n: number): Quantity {
  return { from: 0, to: n, least: 0, most: n };
}

export function exactly(n: number): Quantity {
  return { from: n, to: n, least: n, most: n };
}

export function between(n: number, m: number): Quantity {
  return { from: n, to: m, least: n, most: m };
}

/** Returns the quantity of a plain number, such as "three". More than that is unclear. */
export function plainNumber(n: number): Quantity {
  return { from: n, to: n, least: n, most: many };
}

/** The quantity of a plural without a number. One thing is unclear. */
export const several: Quantity = { from: 2, to: many, least: 1, most: many };

/** Returns the opposite of "at least n" or "at most n", and `undefined` for any other quantity. */
export function opposite({ from, to, least, most }: Quantity): Quantity | undefined {
  if (from !== least || to !== most) return undefined;
  if (to === many) return atMost(from - 1);
  return from === 0 ? atLeast(to + 1) : undefined;
}

/** Returns whether a quantity asks for no thing at all. */
export function isNone({ most }: Quantity): boolean {
  return most === 0;
}

/** Returns whether a quantity is satisfied by a number between two bounds, if that is certain. */
export function fulfils(
  { from, to, least, most }: Quantity,
  seen: { readonly least: number; readonly most: number },
): boolean | undefined {
  if (seen.least >= from && seen.most <= to) return true;
  return seen.most < least || seen.least > most ? false : undefined;
}

/** Returns a quantity in words, for explanations. */
export function inWords({ least, most, from, to }: Quantity): string {
  if (most === 0) return 'none';
  if (least === most) return `exactly ${least}`;
  if (most !== many) return least === 0 ? `at most ${most}` : `${least} to ${most}`;
  return from === to ? `${from}` : `at least ${least}`;
}
