import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { storeErrors } from '../errors.js';

/** States after which the same statement may succeed: restarts, conflicts, replicas. */
const passing = new Set(['40001', '40P01', '57P01', '57P02', '57P03', '25006', '58000', '58030']);

/** Errors of sockets after which a new connection may succeed. */
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
]);

/** Drivers describe a lost connection in words only. */
const lost =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|encountered a connection error|not queryable|server closed the connection/i;

/** Returns the code of an error of a driver, or of its cause: five characters from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if (isReviewError(error)) return sqlStateOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns whether the same statement may succeed when the database is back. */
export function isTransient(error: unknown): boolean {
  if (isReviewError(error)) return false;
  const code = sqlStateOf(error);
  if (code === undefined) return error instanceof Error && lost.test(error.message);
  // 08: the connection; 53: connections, memory or disk are used up
  return passing.has(code) || broken.has(code) || /^(?:08|53)...$/.test(code);
}

/**
 * Returns the error of this library for an error of a driver.
 *
 * @param why - What the driver does not say.
 */
export function databaseFailure(name: string, error: unknown, why?: string): unknown {
  if (isReviewError(error)) return error;
  const what = `${name}: ${messageOf(error)}${why === undefined ? '' : `; ${why}`}`;
  return new ReviewLoopError(storeErrors.store_unavailable, what, { cause: error });
}

/** Returns the error for a database that did not answer in time. */
export function databaseBusy(name: string, ms: number, error: unknown): ReviewLoopError {
  return new ReviewLoopError(
    storeErrors.store_busy,
    `${name} did not answer for ${ms} ms: ${messageOf(error)}`,
    { cause: error, retryable: true },
  );
}
