/** The middle of numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Three significant digits, whole numbers from 1000 on. */
export const rounded = (value) =>
  Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
