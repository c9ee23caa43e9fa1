import { isReviewError } from '../../core/errors.js';

/** Returns how long the service asks to wait in an error, in milliseconds, if it does. */
export function retryAfterIn(error: unknown): number | undefined {
  const value: unknown = isReviewError(error) && 'value' in error ? error.value : undefined;
  const found =
    typeof value === 'object' && value !== null && 'retryAfterMs' in value
      ? value.retryAfterMs
      : undefined;
  return typeof found === 'number' ? found : undefined;
}
