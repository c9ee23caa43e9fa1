/** A score with two decimals, cut and not rounded: 0.799 must not read as 0.80. */
export function showScore(score: number): string {
  return (Math.floor(score * 100 + 1e-9) / 100).toFixed(2);
}
