import { isReviewError } from '../../core/errors.js';

export const exitCodes = {
  0: 'approved or accepted',
  1: 'failed, or an audit log is not intact',
  2: 'usage error',
  50: 'not approved: any other outcome',
  51: 'rejected by a person',
  52: 'timed out',
  53: 'suspended, waiting for an answer',
  130: 'cancelled',
} as const;

/** 2 if the caller or the input must change. */
export function exitCodeOfError(error: unknown): number {
  if (!isReviewError(error)) return 1;
  if (error.code === 'cancelled') return 130;
  return error.kind === 'usage' || error.kind === 'input' ? 2 : 1;
}
