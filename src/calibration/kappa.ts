import { ReviewLoopError } from '../core/errors.js';

/**
 * Returns Cohen's kappa: the agreement of two judges beyond chance, from -1 to 1. `undefined`
 * without items, or if both judges always give the same single value.
 *
 * @throws ReviewLoopError `invalid_options` for lists of different lengths
 * @example
 * ```ts
 * cohensKappa([1, 1, 2, 2], [1, 2, 2, 2]); // 0.5
 * ```
 */
export function cohensKappa<Value extends string | number | boolean>(
  first: readonly Value[],
  second: readonly Value[],
): number | undefined {
  const all = first.length;
  if (all !== second.length)
    throw new ReviewLoopError(
      'invalid_options',
      `expected two lists of the same length, got ${all} and ${second.length}`,
    );
  const differing = first.filter((value, index) => value !== second[index]).length;
  const shareIn = (values: readonly Value[], value: Value): number =>
    values.filter((one) => one === value).length / all;
  const alike = [...new Set(first)].reduce(
    (sum, value) => sum + shareIn(first, value) * shareIn(second, value),
    0,
  );
  return all === 0 || alike === 1 ? undefined : 1 - differing / all / (1 - alike);
}
