import { type CoreErrorCode, coreErrors } from './core-errors.js';
import type { ErrorEntry, ErrorKind } from './error-table.js';

const marker = Symbol.for('reviewloop.error');

/** Every error of this library, also one from another copy of the package. */
export interface ReviewError extends Error, ErrorEntry {
  /** Stable code; see docs/errors.md. */
  readonly code: string;
  /** Who can remove the cause. */
  readonly kind: ErrorKind;
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;
}

/** Options of a {@link ReviewLoopError}. */
export interface ReviewErrorOptions {
  /** The error that caused this one. @default none */
  readonly cause?: unknown;
  /** The value that was refused. @default none */
  readonly value?: unknown;
  /** @default false */
  readonly retryable?: boolean | undefined;
}

/** A code of the core, or an entry of another error table. */
export type KnownError = CoreErrorCode | ErrorEntry;

/**
 * The error class of this library. The message says what happened, then how to fix it.
 *
 * @example
 * ```ts
 * const what = 'expected `iterations` to be a whole number from 1, got 0';
 * throw new ReviewLoopError('invalid_options', what, { value: 0 });
 * ```
 */
export class ReviewLoopError extends Error implements ReviewError {
  override readonly name = 'ReviewLoopError';
  readonly code: string;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** The value that was refused, if any. */
  readonly value: unknown;
  /** What happened, without the way to fix it. */
  readonly what: string;
  /** How to fix it, as in docs/errors.md. */
  readonly fix: string;

  constructor(error: KnownError, what: string, options: ReviewErrorOptions = {}) {
    const { code, kind, fix } = typeof error === 'string' ? coreErrors[error] : error;
    super(
      `${what.replace(/\.$/, '')}. ${fix}`,
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.code = code;
    this.kind = kind;
    this.what = what;
    this.fix = fix;
    this.retryable = options.retryable ?? false;
    this.value = options.value;
    Object.defineProperty(this, marker, { value: true });
  }
}

/**
 * Returns whether a value is an error of this library, also one from another copy of the package.
 */
export function isReviewError(error: unknown): error is ReviewError {
  return typeof error === 'object' && error !== null && marker in error;
}

/** For an error of this library it is `what`, without the fix. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof ReviewLoopError) return thrown.what;
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  try {
    return String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
