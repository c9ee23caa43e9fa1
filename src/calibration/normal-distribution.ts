/** Returns the share of a standard normal distribution below `z`. */
export function normalShare(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  return z < 0 ? upperShare(-z) : 1 - upperShare(z);
}

/** Returns the quantile of a standard normal distribution, by bisection. */
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
