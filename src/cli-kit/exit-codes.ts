import { isReviewError } from '../core/errors.js';
import { isOpen } from '../core/gap.js';
import type { Outcome, OutcomeStatus } from '../core/outcome.js';
import { type Severity, severityAtLeast } from '../core/severity.js';

/** The exit codes of the command line, for its help. */
export const exitCodes = {
  0: 'approved or accepted',
  1: 'failed, or an audit log is not intact',
  2: 'wrong use',
  50: 'every other outcome: not approved',
  51: 'a person declined',
  52: 'timed out',
  53: 'suspended, waits for an answer',
  130: 'cancelled',
} as const;

/** Returns the exit code of an error that ended a command: 2 when the caller or the input must change. */
export function exitCodeOfError(error: unknown): number {
  if (!isReviewError(error)) return 1;
  if (error.code === 'cancelled') return 130;
  return error.kind === 'usage' || error.kind === 'input' ? 2 : 1;
}

/** The exit code of a run; an approved one still fails for an open gap of severity `failOn` or worse. */
export function exitCodeOf(outcome: Outcome<unknown>, failOn: Severity | undefined): number {
  const code = exitCodeOfStatus(outcome.status);
  if (code !== 0 || failOn === undefined) return code;
  const gaps = outcome.review?.gaps ?? [];
  return gaps.some((gap) => isOpen(gap) && severityAtLeast(gap.severity, failOn)) ? 50 : 0;
}

function exitCodeOfStatus(status: OutcomeStatus): number {
  switch (status) {
    case 'approved':
    case 'accepted':
      return 0;
    case 'rejected':
      return 51;
    case 'timed_out':
      return 52;
    case 'suspended':
      return 53;
    case 'failed':
      return 1;
    case 'cancelled':
      return 130;
    case 'escalated':
    case 'exhausted':
    case 'stalled':
    case 'inconclusive':
      return 50;
  }
}
