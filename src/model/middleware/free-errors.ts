import { isReviewError } from '../../core/errors.js';

/** Codes of calls that cost nothing, because the service did not start. */
const free: ReadonlySet<string> = new Set([
  'provider_unauthorized',
  'provider_rate_limited',
  'provider_refused_request',
  'peer_missing',
  'process_not_found',
  'invalid_options',
]);

/** Returns whether a failed call used no tokens. */
export function isFree(error: unknown): boolean {
  return isReviewError(error) && free.has(error.code);
}
