import { ReviewLoopError } from '../core/errors.js';
import { checkKeys } from '../core/options.js';

/** The weight of a disagreement: constant, its distance, or the squared distance. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

/** Options of {@link cohensKappa}. */
export interface KappaOptions<Value> {
  /** The weight of a disagreement. @default 'none' */
  readonly weights?: KappaWeights | undefined;
  /**
   * All values in order; weights need it if not every value occurs.
   *
   * @default the values that occur, sorted
   */
  readonly categories?: readonly Value[] | undefined;
}

/**
 * Returns Cohen's kappa: the agreement of two judges beyond chance, from -1 to 1. `undefined`
 * without items, or if both judges always give the same single value.
 *
 * @throws ReviewLoopError `invalid_options` for lists of different lengths, and for values outside
 *   of `categories`
 * @example
 * ```ts
 * cohensKappa([1, 1, 2, 2], [1, 2, 2, 2]); // 0.5
 * ```
 */
export function cohensKappa<Value extends string | number | boolean>(
  first: readonly Value[],
  second: readonly Value[],
  options: KappaOptions<Value> = {},
): number | undefined {
  if (first.length !== second.length)
    throw new ReviewLoopError(
      'invalid_options',
      `expected two lists of the same length, got ${first.length} and ${second.length}`,
    );
  checkKeys('cohensKappa', options, ['weights', 'categories']);
  const { weights = 'none' } = options;
  if (!['none', 'linear', 'quadratic'].includes(weights))
    throw new ReviewLoopError(
      'invalid_options',
      `expected \`weights\` to be 'none', 'linear' or 'quadratic', got ${String(weights)}`,
    );
  const categories = options.categories ?? [...new Set([...first, ...second])].sort(inOrder);
  const place = new Map(categories.map((value, index) => [value, index]));
  const size = categories.length;
  const cells = new Array<number>(size * size).fill(0);
  first.forEach((value, index) => {
    const other = second[index];
    const [row, column] = [place.get(value), other === undefined ? undefined : place.get(other)];
    if (row === undefined || column === undefined)
      throw new ReviewLoopError(
        'invalid_options',
        `${String(row === undefined ? value : other)} is not one of the \`categories\` ${categories.join(', ')}`,
      );
    cells[row * size + column] = (cells[row * size + column] ?? 0) + 1;
  });
  return kappaOf(cells, size, weights);
}

function kappaOf(
  cells: readonly number[],
  size: number,
  weights: KappaWeights,
): number | undefined {
  const cell = (row: number, column: number): number => cells[row * size + column] ?? 0;
  const indices = Array.from({ length: size }, (_, index) => index);
  const rows = indices.map((row) => indices.reduce((sum, column) => sum + cell(row, column), 0));
  const columns = indices.map((column) => indices.reduce((sum, row) => sum + cell(row, column), 0));
  const all = rows.reduce((sum, count) => sum + count, 0);
  const observed: number[] = [];
  const expected: number[] = [];
  for (const row of indices) {
    for (const column of indices) {
      const weight = weightOf(row - column, weights);
      observed.push(weight * cell(row, column));
      expected.push((weight * ((columns[row] ?? 0) * (rows[column] ?? 0))) / all);
    }
  }
  const chance = sumOf(expected);
  return all === 0 || chance === 0 ? undefined : 1 - sumOf(observed) / chance;
}

function weightOf(distance: number, weights: KappaWeights): number {
  if (weights === 'quadratic') return distance ** 2;
  return weights === 'linear' ? Math.abs(distance) : Number(distance !== 0);
}

/** Adds in the order of numerical libraries, so that published figures are reproduced exactly. */
function sumOf(values: readonly number[]): number {
  const lanes = values.length - (values.length % 8);
  if (lanes === 0) return values.reduce((sum, value) => sum + value, 0);
  const sums = new Array<number>(8).fill(0);
  for (let index = 0; index < lanes; index += 1)
    sums[index % 8] = (sums[index % 8] ?? 0) + (values[index] ?? 0);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = sums;
  return values
    .slice(lanes)
    .reduce((sum, value) => sum + value, a + b + (c + d) + (e + f + (g + h)));
}

function inOrder(a: string | number | boolean, b: string | number | boolean): number {
  return a < b ? -1 : Number(a > b);
}
