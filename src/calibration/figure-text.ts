/**
 * Returns a figure for people: rounded to two decimals, with more where it would read as the bar
 * that it misses.
 */
export function figureText(value: number, bar?: number): string {
  let digits = 2;
  while (
    bar !== undefined &&
    value !== bar &&
    digits < 12 &&
    rounded(value, digits) === rounded(bar, digits)
  )
    digits += 1;
  return String(rounded(value, digits));
}

function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
