/** The share of the greatest allowed stake, for each of ten bets. */
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

/** @param factors - What a right and a wrong approval multiply a bet with. */
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
