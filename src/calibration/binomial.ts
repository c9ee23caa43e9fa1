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

/** Returns the one-sided lower bound of Clopper and Pearson. */
export function exactLowerBound(n: number, k: number, delta: number): number {
  return k <= 0 ? 0 : shareWhere((p) => 1 - binomialShare(n, k - 1, p) >= delta);
}

/** Returns the smallest share from which on something holds, by bisection. */
export function shareWhere(holds: (share: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
