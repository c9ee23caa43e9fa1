import { isReviewError, type KnownError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { portErrors } from '../../ports/errors.js';
import { storeErrors } from '../errors.js';

/** Returns the primary result code of SQLite in an error of any driver; `undefined` for others. */
function resultCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number')
    return numbered.get(error.errcode & 0xff) ?? 'SQLITE_ERROR';
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_'))
    return error.code;
  const [, digits] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message) ?? [];
  return digits === undefined ? undefined : (numbered.get(Number(digits) & 0xff) ?? 'SQLITE_ERROR');
}

const numbered = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [26, 'SQLITE_NOTADB'],
]);

/** Returns whether another connection uses the database, so that a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(resultCode(error) ?? '');
}

/** The error code and the words for a failure that SQLite does not explain. */
export interface DatabaseFailure {
  readonly error: KnownError;
  readonly what: string;
}

/** Returns the error of this library for an error of a driver. */
export function databaseError(file: string, error: unknown, otherwise: DatabaseFailure): unknown {
  if (isReviewError(error)) return error;
  const code = resultCode(error) ?? '';
  const details = { cause: error, value: file };
  if (isBusy(error))
    return new ReviewLoopError(
      storeErrors.store_busy,
      `${file} is in use by another process: ${messageOf(error)}`,
      { ...details, retryable: true },
    );
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code))
    return new ReviewLoopError(
      portErrors.journal_corrupt,
      `${file} is not a valid database: ${messageOf(error)}`,
      details,
    );
  return new ReviewLoopError(
    otherwise.error,
    `${file} ${otherwise.what}: ${messageOf(error)}`,
    details,
  );
}
