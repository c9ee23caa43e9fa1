/** Only a perfect score reads as 1.00. */
export function scoreText(score: number | null): string {
  return score === null ? 'unknown' : rounded(score, 2);
}

/** Has enough decimals to show the difference. */
export function scoreBelow(name: string, score: number, bar: number): string {
  let digits = 2;
  while (digits < 12 && rounded(score, digits) === rounded(bar, digits)) digits += 1;
  return `${name} ${rounded(score, digits)} is below ${rounded(bar, digits)}`;
}

/** For a score that rounding put just outside: equal texts have a cosine of 1.0000000000000002. */
export function withinRange(score: number): number {
  const near = Math.min(1, Math.max(0, score));
  return Math.abs(score - near) < 1e-6 ? near : score;
}

/** Rounding never changes the order of two numbers, so a text contradicts no comparison. */
function rounded(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return value < 1 && Number(text) >= 1 ? (1 - 10 ** -digits).toFixed(digits) : text;
}

/** Rounded to two decimals, with more where it would read as the bar that it misses. */
export function figureText(value: number, bar?: number): string {
  let digits = 2;
  while (
    bar !== undefined &&
    value !== bar &&
    digits < 12 &&
    shortest(value, digits) === shortest(bar, digits)
  )
    digits += 1;
  return String(shortest(value, digits));
}

function shortest(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
