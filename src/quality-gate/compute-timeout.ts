/** What of a payload beside its number of files may lengthen the time for its review. */
export interface TimeoutOptions {
  /** How many characters the payload has; large ones get 30 seconds for each 5,000 beyond the first. @default only files count */
  readonly chars?: number | undefined;
  /** No review may take longer. @default no ceiling */
  readonly maxSeconds?: number | undefined;
}

const baseSeconds = 240;
const secondsMore = 30;

/** How many seconds a review of so many files may take: 240, and 30 more for each file beyond the fifth. */
export function computeTimeout(
  files: number,
  { chars = 0, maxSeconds = Number.POSITIVE_INFINITY }: TimeoutOptions = {},
): number {
  const byFiles = baseSeconds + secondsMore * Math.max(0, files - 5);
  const bySize = baseSeconds + secondsMore * Math.max(0, Math.floor(chars / 5000) - 1);
  return Math.min(maxSeconds, Math.max(byFiles, bySize));
}
