/**
 * The probability of coverage by the share of words in the best passage. It is an isotonic fit over
 * the development half of `test/corpora/coverage-pairs.json`. Its hard pairs are weighted to a
 * quarter of all pairs, which is an assumption. Between the steps of the fit the line rises
 * slightly, so a better passage never equals a worse one.
 */
const knots: readonly (readonly [share: number, probability: number])[] = [
  [0, 0.15],
  [1 / 6, 0.17],
  [1 / 5, 0.5],
  [1 / 4, 0.63],
  [1 / 3, 0.8],
  [1, 0.82],
];

/** The share of hard pairs that {@link coverageProbability} assumes. */
export const assumedHard = 0.25;

/**
 * Returns the probability, from 0 to 1, that a requirement is covered if a passage has this share
 * of its words. A larger share never lowers it.
 */
export function coverageProbability(share: number): number {
  let [fromShare, from] = knots[0] ?? [0, 0];
  for (const [toShare, to] of knots.slice(1)) {
    if (share <= toShare)
      return (
        from + ((to - from) * (Math.max(share, fromShare) - fromShare)) / (toShare - fromShare)
      );
    [fromShare, from] = [toShare, to];
  }
  return from;
}
