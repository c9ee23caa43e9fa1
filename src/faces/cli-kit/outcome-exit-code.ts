import { isOpen, type Severity, severityAtLeast } from '../../core/gap.js';
import type { Outcome, OutcomeStatus } from '../../core/outcome.js';
import type { RunReport } from '../reports/run-report.js';

/**
 * Returns the exit code of a run. It is 50 for an approved run with an open gap of severity
 * `failOn` or worse.
 */
export function outcomeExitCode(outcome: Outcome<unknown>, failOn: Severity | undefined): number {
  const code = exitCodeOfStatus(outcome.status);
  if (code !== 0 || failOn === undefined) return code;
  const gaps = outcome.review?.gaps ?? [];
  return gaps.some((gap) => isOpen(gap) && severityAtLeast(gap.severity, failOn)) ? 50 : 0;
}

/**
 * Returns whether all checks that apply passed, and nobody was there to judge the rest. Such a run is
 * not approved.
 */
export function onlyChecksPassed(report: RunReport): boolean {
  const { status, counts, gaps, failures, undecided, notReviewed } = report;
  return (
    status === 'inconclusive' &&
    counts !== undefined &&
    counts.passed > 0 &&
    counts.failed + counts.errored + failures.length === 0 &&
    undecided.length > 0 &&
    !gaps.some(isOpen) &&
    notReviewed.every(({ reason }) => reason === 'binary')
  );
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
