import { type CoreErrorCode, coreErrors } from './core-errors.js';
import type { ErrorEntry, ErrorKind } from './error-table.js';

const marker = Symbol.for('reviewloop.error');

/** What every error of this library carries, also across two copies of the package. */
export interface ReviewError extends Error, ErrorEntry {
  /** Stable code; see docs/errors.md. */
  readonly code: string;
  /** Who can remove the cause. */
  readonly kind: ErrorKind;
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;
}

/** How a {@link ReviewLoopError} is made. */
export interface ReviewErrorOptions {
  readonly cause?: unknown;
  /** The value that was refused. */
  readonly value?: unknown;
  /** @default false */
  readonly retryable?: boolean | undefined;
}

/** An error that can happen: a code of the core by its name, any other by its entry in the table of its room. */
export type KnownError = CoreErrorCode | ErrorEntry;

/**
 * The one error class of this library. The message says what happened and, after it, how to fix it.
 *
 * @example
 * ```ts
 * throw new ReviewLoopError('invalid_options', 'expected `iterations` to be a whole number from 1, got 0', { value: 0 });
 * ```
 */
export class ReviewLoopError extends Error implements ReviewError {
  override readonly name = 'ReviewLoopError';
  readonly code: string;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** The value that was refused, when there is one. */
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

/** Tells an error of this library from any other, also when two copies of the package are loaded. */
export function isReviewError(error: unknown): error is ReviewError {
  return typeof error === 'object' && error !== null && marker in error;
}

/** What anything that can be thrown says; of an error of this library, what happened, without the way to fix it. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof ReviewLoopError) return thrown.what;
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  try {
    return String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
