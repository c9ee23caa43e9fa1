import {
  isReviewError,
  type KnownError,
  messageOf,
  type ReviewErrorOptions,
  ReviewLoopError,
} from '../../core/errors.js';
import { gateErrors } from './errors.js';

/**
 * An error of a {@link QualityGate}, such as a missing reviewer, a failed review or an unreadable
 * result.
 */
export class QualityGateError extends ReviewLoopError {
  constructor(error: KnownError, what: string, options: ReviewErrorOptions = {}) {
    super(error, what, options);
    Object.defineProperty(this, 'name', { value: 'QualityGateError' });
  }
}

const texts: Readonly<Record<string, (detail: string, seconds: number) => string>> = {
  provider_timeout: (_, seconds) => `Claude CLI timed out after ${seconds} seconds`,
  timeout: (_, seconds) => `Claude CLI timed out after ${seconds} seconds`,
  process_timeout: (_, seconds) => `Claude CLI timed out after ${seconds} seconds`,
  process_not_found: (detail) =>
    `Claude CLI command not found: ${detail.replace(/ (was not found|cannot be executed)$/, '')}`,
  process_failed: (detail) => {
    const exitCode = /exit code (-?\d+)/.exec(detail)?.[1];
    return exitCode === undefined
      ? `Claude CLI failed: ${detail}`
      : `Claude CLI failed with exit code ${exitCode}:\nstderr: ${detail}`;
  },
  provider_malformed: (detail) => `Failed to parse Claude CLI response as JSON: ${detail}`,
};

const timeouts = new Set(['provider_timeout', 'timeout', 'process_timeout']);

/** A failure of a command line tool is told in DeepWork's words. */
export function reviewFailed(
  error: unknown,
  { cli, seconds }: { readonly cli: boolean; readonly seconds: number },
): QualityGateError {
  if (error instanceof QualityGateError) return error;
  const detail = messageOf(error);
  const code = isReviewError(error) ? error.code : '';
  const isLate = timeouts.has(code);
  const retryable = isReviewError(error) && error.retryable && !isLate;
  return new QualityGateError(
    gateErrors.gate_review_failed,
    cli
      ? deepworkMessage(isEmptyAnswer(error) ? 'answer_empty' : code, detail, seconds)
      : isLate
        ? `the reviewer timed out after ${seconds} seconds`
        : detail,
    { cause: error, retryable },
  );
}

function deepworkMessage(code: string, detail: string, seconds: number): string {
  const known = texts[code];
  if (known !== undefined) return known(detail, seconds);
  if (code === 'answer_unreadable' || code === 'answer_empty')
    return `Claude CLI response missing 'structured_output' field. Response was: ${detail.slice(0, 500)}...`;
  if (code.startsWith('provider_') || code === 'budget_exceeded' || code === 'answer_refused')
    return `Claude CLI returned error: ${detail}`;
  return detail;
}

/** DeepWork takes an object without members for no answer. */
function isEmptyAnswer(error: unknown): boolean {
  if (!(error instanceof ReviewLoopError) || error.code !== 'answer_mismatch') return false;
  return typeof error.value === 'string' && /^\{\s*\}$/.test(error.value.trim());
}

export function isTimeout(error: unknown): boolean {
  if (!isReviewError(error)) return false;
  return timeouts.has(error.code) || isTimeout(error.cause);
}

const missing = new Set(['process_not_found', 'peer_missing', 'provider_missing']);

export function isMissing(error: unknown): boolean {
  if (!isReviewError(error)) return false;
  return missing.has(error.code) || isMissing(error.cause);
}
