import { normalQuantile, normalShare } from './normal-distribution.js';

/** How often two calls failed the same texts. */
export interface FailedTogether {
  /** The share of texts that each of the two calls fails. */
  readonly rates: readonly [number, number];
  /** How many texts both calls judged. */
  readonly all: number;
  /** How many of them both failed. */
  readonly both: number;
}

const steps = 60;
const nodes = Array.from({ length: steps + 1 }, (_, index) => -6 + (12 * index) / steps);
const weights = nodes.map((at) => Math.exp((-at * at) / 2));
const weightOfAll = weights.reduce((sum, weight) => sum + weight, 0);

/** The highest correlation that a model of risk allows, but for rounding. */
const highest = 0.98;

/**
 * Returns how alike calls vote: the tetrachoric correlation, from 0 to 0.98, under which as many
 * texts are failed by both calls as were seen. `undefined` if nothing was failed or nothing passed.
 */
export function voteCorrelation(pairs: readonly FailedTogether[]): number | undefined {
  const telling = pairs.filter(({ all, rates }) => all > 0 && rates.every(isOpen));
  if (telling.length === 0) return undefined;
  const seen = telling.reduce((sum, { both }) => sum + both, 0);
  const expected = (correlation: number): number =>
    telling.reduce((sum, { all, rates }) => sum + all * bothFail(rates, correlation), 0);
  let [low, high] = [0, highest];
  if (expected(low) >= seen) return low;
  if (expected(high) <= seen) return high;
  for (let round = 0; round < 14; round += 1) {
    const middle = (low + high) / 2;
    if (expected(middle) < seen) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function isOpen(share: number): boolean {
  return share > 0 && share < 1;
}

/** Returns the probability that two calls fail a text, given their rates and their correlation. */
function bothFail([first, second]: readonly [number, number], correlation: number): number {
  const [a, b] = [normalQuantile(first), normalQuantile(second)];
  const [shared, own] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  return (
    nodes.reduce(
      (sum, at, index) =>
        sum +
        (weights[index] ?? 0) *
          normalShare((a - shared * at) / own) *
          normalShare((b - shared * at) / own),
      0,
    ) / weightOfAll
  );
}
