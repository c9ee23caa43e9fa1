import { checkKeys } from '../core/options.js';
export interface TimeoutOptions {
  /**
   * The length of the payload in characters. Each 5,000 beyond the first 5,000 add 30 seconds.
   *
   * @default only the number of files counts
   */
  readonly chars?: number | undefined;
  /** The maximum in seconds. @default no limit */
  readonly maxSeconds?: number | undefined;
}

const baseSeconds = 240;
const extraSeconds = 30;

/** Returns the time limit of a review, in seconds: 240, plus 30 for each file beyond the fifth. */
export function computeTimeout(files: number, options: TimeoutOptions = {}): number {
  checkKeys('computeTimeout', options, ['chars', 'maxSeconds']);
  const { chars = 0, maxSeconds = Number.POSITIVE_INFINITY } = options;
  const byFiles = baseSeconds + extraSeconds * Math.max(0, files - 5);
  const bySize = baseSeconds + extraSeconds * Math.max(0, Math.floor(chars / 5000) - 1);
  return Math.min(maxSeconds, Math.max(byFiles, bySize));
}
