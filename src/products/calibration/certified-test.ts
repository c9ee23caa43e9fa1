export interface LabelCount {
  /** How many approvals were labelled. */
  readonly n: number;
  /** How many of them are wrong. */
  readonly k: number;
  /** The greatest share of wrong approvals. */
  readonly alpha: number;
  /** The greatest probability of a false certificate. */
  readonly delta: number;
}

/** How labels are tested: as one sample of a size that was fixed before, or after every label. */
export type CertifyMethod = 'fixed' | 'sequential';

/** Returns whether labels show that at most `alpha` of the approvals are wrong. */
export function shows(method: CertifyMethod, { n, k, alpha, delta }: LabelCount): boolean {
  return method === 'fixed'
    ? binomialShare(n, k, alpha) <= delta
    : wealthAgainstRisk(n, k, alpha) >= 1 / delta;
}

export function upperBoundOf(
  method: CertifyMethod,
  { n, k, delta }: Omit<LabelCount, 'alpha'>,
): number {
  return method === 'fixed'
    ? exactUpperBound(n, k, delta)
    : shareWhere((alpha) => wealthAgainstRisk(n, k, Math.min(alpha, 1 - 1e-12)) >= 1 / delta);
}

export const mostLabels = 1_000_000;

/**
 * Returns how many labels in all would show it, if the share of wrong ones stays as seen.
 * Undefined if no number up to a million would.
 */
export function labelsNeeded(method: CertifyMethod, count: LabelCount): number | undefined {
  const { n, k, alpha } = count;
  const rate = k / n;
  if (rate >= alpha) return undefined;
  const enough = (all: number): boolean =>
    shows(method, { ...count, n: all, k: Math.ceil(rate * all - 1e-9) });
  let high = n;
  while (!enough(high)) {
    if (high >= mostLabels) return undefined;
    high = Math.min(mostLabels, high * 2);
  }
  let low = 0;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns whether the labels show that more than `alpha` of the approvals are wrong. */
export function isHopeless(method: CertifyMethod, { n, k, alpha, delta }: LabelCount): boolean {
  return method === 'fixed'
    ? exactLowerBound(n, k, delta) > alpha
    : wealthForRisk(n, k, alpha) >= 1 / delta;
}

const stakes = Array.from({ length: 10 }, (_, index) => (index + 1) / 11);

/**
 * Returns what ten bets of 0.1 in all are worth after `n` labels with `k` wrong ones. They bet that
 * fewer than `alpha` of the approvals are wrong. If `alpha` or more are wrong, the bets ever reach
 * 1 / delta with a probability of at most delta, however often one looks (Ville's inequality).
 */
export function wealthAgainstRisk(n: number, k: number, alpha: number): number {
  return meanOf((stake) => [1 + (stake * alpha) / (1 - alpha), 1 - stake], n, k);
}

/** Returns what the opposite bets are worth: that more than `alpha` of the approvals are wrong. */
export function wealthForRisk(n: number, k: number, alpha: number): number {
  return meanOf((stake) => [1 - stake, 1 + (stake * (1 - alpha)) / alpha], n, k);
}

function meanOf(
  factors: (stake: number) => readonly [right: number, wrong: number],
  n: number,
  k: number,
): number {
  const sum = stakes.reduce((total, stake) => {
    const [right, wrong] = factors(stake);
    return total + Math.exp((n - k) * Math.log(right) + k * Math.log(wrong));
  }, 0);
  return sum / stakes.length;
}

/**
 * Returns the probability of at most `k` hits in `n` independent draws that each hit with
 * probability `p`. The sum is exact up to rounding, also where single terms underflow.
 */
export function binomialShare(n: number, k: number, p: number): number {
  if (k >= n || p <= 0) return 1;
  if (k < 0 || p >= 1) return 0;
  const odds = Math.log(p) - Math.log1p(-p);
  let term = n * Math.log1p(-p);
  let largest = term;
  let sum = 1;
  for (let hits = 1; hits <= k; hits += 1) {
    term += Math.log((n - hits + 1) / hits) + odds;
    if (term > largest) {
      sum = sum * Math.exp(largest - term) + 1;
      largest = term;
    } else sum += Math.exp(term - largest);
  }
  return Math.min(1, Math.exp(largest + Math.log(sum)));
}

/**
 * Returns the one-sided upper bound of Clopper and Pearson: the share that is exceeded with a
 * probability of at most `delta`, after `k` hits in `n` draws.
 */
export function exactUpperBound(n: number, k: number, delta: number): number {
  return k >= n ? 1 : shareWhere((p) => binomialShare(n, k, p) <= delta);
}

export function exactLowerBound(n: number, k: number, delta: number): number {
  return k <= 0 ? 0 : shareWhere((p) => 1 - binomialShare(n, k - 1, p) >= delta);
}

function shareWhere(holds: (share: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
