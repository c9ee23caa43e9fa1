import { checkTable, checkWhole, invalid, type OptionTable, whole } from '../../core/options.js';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** Number of resamples, from 1. @default 2000 */
  readonly resamples?: number | undefined;
  /** Confidence level, between 0 and 1. @default 0.95 */
  readonly confidence?: number | undefined;
  /** Seed of the resampling, from 0; the same seed yields the same interval. @default 1 */
  readonly seed?: number | undefined;
}

const table: OptionTable<BootstrapOptions> = {
  ...{ resamples: whole(1), confidence: checkConfidence, seed: whole(0) },
};

/** Groups of items; each group is resampled separately, so that none is empty in a resample. */
export type Strata<Item> = readonly (readonly Item[])[];

/**
 * Returns a bootstrap interval of a figure over items, corrected for bias and acceleration (BCa);
 * `undefined` if the figure is undefined.
 *
 * @example
 * ```ts
 * const mean = ([items = []]: Strata<number>) =>
 *   items.reduce((sum, item) => sum + item, 0) / items.length;
 * bootstrapInterval([[1, 2, 3, 4]], mean);
 * ```
 */
export function bootstrapInterval<Item>(
  strata: Strata<Item>,
  figure: (strata: Strata<Item>) => number | undefined,
  options: BootstrapOptions = {},
): Interval | undefined {
  checkTable('bootstrapInterval', table, options);
  const { resamples = 2000, confidence = 0.95, seed = 1 } = options;
  const seen = figure(strata);
  if (seen === undefined || strata.every((items) => items.length === 0)) return undefined;
  const next = seededRandom(seed);
  const drawn: number[] = [];
  for (let round = 0; round < resamples; round += 1) {
    const value = figure(
      strata.map((items) => items.map(() => items[Math.floor(next() * items.length)] as Item)),
    );
    if (value !== undefined && !Number.isNaN(value)) drawn.push(value);
  }
  if (drawn.length === 0) return undefined;
  drawn.sort((a, b) => a - b);
  const tails: readonly [number, number] = [(1 - confidence) / 2, (1 + confidence) / 2];
  const jackknife = jackknifeOf(strata, figure);
  const [low, high] = correctedTails(tails, { drawn, seen, jackknife });
  return { low: quantileOf(drawn, low), high: quantileOf(drawn, high) };
}

export function checkConfidence(name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value > 0 && value < 1))
    throw invalid(name, 'a number between 0 and 1', value);
}

export function quantileOf(sorted: readonly number[], share: number): number {
  const place = Math.min(Math.max(share, 0), 1) * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

interface Bootstrapped {
  readonly drawn: readonly number[];
  readonly seen: number;
  readonly jackknife: readonly number[];
}

/** Returns the quantiles of the interval, corrected for bias and acceleration (Efron 1987). */
function correctedTails(
  tails: readonly [number, number],
  { drawn, seen, jackknife }: Bootstrapped,
): readonly [number, number] {
  const below =
    drawn.filter((value) => value < seen).length +
    drawn.filter((value) => value === seen).length / 2;
  const bias = normalQuantile(below / drawn.length);
  if (!Number.isFinite(bias)) return tails;
  const mean = jackknife.reduce((sum, value) => sum + value, 0) / jackknife.length;
  const squares = jackknife.reduce((sum, value) => sum + (mean - value) ** 2, 0);
  const cubes = jackknife.reduce((sum, value) => sum + (mean - value) ** 3, 0);
  const acceleration = squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
  const cut = (tail: number): number => {
    const moved = bias + normalQuantile(tail);
    return normalShare(bias + moved / (1 - acceleration * moved));
  };
  return [cut(tails[0]), cut(tails[1])];
}

function jackknifeOf<Item>(
  strata: Strata<Item>,
  figure: (strata: Strata<Item>) => number | undefined,
): number[] {
  const values: number[] = [];
  strata.forEach((items, stratum) => {
    items.forEach((_, left) => {
      const value = figure(
        strata.map((others, index) =>
          index === stratum ? others.filter((__, place) => place !== left) : others,
        ),
      );
      if (value !== undefined && !Number.isNaN(value)) values.push(value);
    });
  });
  return values;
}

/** Unlike a bootstrap, it is also valid for shares of 0 and 1. */
export function wilsonInterval(
  count: number,
  all: number,
  confidence = 0.95,
): Interval | undefined {
  checkWhole('count', count, 0);
  checkWhole('all', all, count);
  checkConfidence('confidence', confidence);
  if (all === 0) return undefined;
  const z = normalQuantile((1 + confidence) / 2);
  const share = count / all;
  const centre = (share + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half =
    (z / (1 + (z * z) / all)) * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  return {
    low: count === 0 ? 0 : Math.max(0, centre - half),
    high: count === all ? 1 : Math.min(1, centre + half),
  };
}

export function normalShare(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  return z < 0 ? upperShare(-z) : 1 - upperShare(z);
}

export function normalQuantile(share: number): number {
  if (Number.isNaN(share) || share < 0 || share > 1) return Number.NaN;
  if (share === 0) return Number.NEGATIVE_INFINITY;
  if (share === 1) return Number.POSITIVE_INFINITY;
  if (share > 0.5) return -normalQuantile(1 - share);
  let [low, high] = [-40, 0];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns the share above `z`, which is at least 0: a series near 0, a continued fraction in the
 * tail.
 */
function upperShare(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 5) {
    let fraction = z + 60;
    for (let depth = 60; depth >= 1; depth -= 1) fraction = z + depth / fraction;
    return density / fraction;
  }
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > 1e-18; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 - density * sum;
}

/**
 * This is mulberry32, for reproducible resampling. Ids and nonces come from the `Random` port
 * instead.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
