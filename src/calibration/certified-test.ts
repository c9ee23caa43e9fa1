import { wealthAgainstRisk, wealthForRisk } from './bets.js';
import { binomialShare, exactLowerBound, exactUpperBound, shareWhere } from './binomial.js';

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

/** Returns the upper bound of the share of wrong approvals, at confidence 1 - delta. */
export function upperBoundOf(
  method: CertifyMethod,
  { n, k, delta }: Omit<LabelCount, 'alpha'>,
): number {
  return method === 'fixed'
    ? exactUpperBound(n, k, delta)
    : shareWhere((alpha) => wealthAgainstRisk(n, k, Math.min(alpha, 1 - 1e-12)) >= 1 / delta);
}

/** No more labels than this are tested or proposed. */
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
