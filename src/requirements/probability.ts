/**
 * How probable it is that a requirement is covered, by the share of its words in the best passage: an isotonic fit (pooled
 * neighbours) over the development half of `test/corpora/coverage-pairs.json`, with its hard pairs weighted down to a quarter of
 * all. That quarter is an assumption, not a measurement: with more paraphrases and look-alikes all values draw near to a half.
 * Between the steps of the fit the line rises a little, so that a better place is never equal to a worse one.
 */
const knots: readonly (readonly [share: number, probability: number])[] = [
  [0, 0.15],
  [1 / 6, 0.17],
  [1 / 5, 0.5],
  [1 / 4, 0.63],
  [1 / 3, 0.8],
  [1, 0.82],
];

/** The share of hard pairs for which {@link coverageProbability} is calibrated. */
export const assumedHard = 0.25;

/** The probability that a requirement is covered whose words stand in a passage to this share; it never falls with the share. */
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
