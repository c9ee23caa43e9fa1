const central = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2,
  -3.066479806614716e1, 2.506628277459239,
];
const centralBelow = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
  -1.328068155288572e1, 1,
];
const tail = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734,
  4.374664141464968, 2.938163982698783,
];
const tailBelow = [
  7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1,
];

/** Returns the share of a standard normal distribution below `z`. */
export function normalShare(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  return z < 0 ? upperShare(-z) : 1 - upperShare(z);
}

/** Returns the quantile of a standard normal distribution: the value below which the share lies. */
export function normalQuantile(share: number): number {
  if (Number.isNaN(share) || share < 0 || share > 1) return Number.NaN;
  if (share === 0) return Number.NEGATIVE_INFINITY;
  if (share === 1) return Number.POSITIVE_INFINITY;
  if (share > 0.5) return -normalQuantile(1 - share);
  const first = firstQuantile(share);
  const error = normalShare(first) - share;
  const step = error * Math.sqrt(2 * Math.PI) * Math.exp((first * first) / 2);
  return first - step / (1 + (first * step) / 2);
}

function firstQuantile(share: number): number {
  if (share < 0.02425) {
    const root = Math.sqrt(-2 * Math.log(share));
    return polynomial(tail, root) / polynomial(tailBelow, root);
  }
  const offset = share - 0.5;
  return (
    (polynomial(central, offset * offset) * offset) / polynomial(centralBelow, offset * offset)
  );
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

function polynomial(coefficients: readonly number[], at: number): number {
  return coefficients.reduce((sum, coefficient) => sum * at + coefficient, 0);
}
