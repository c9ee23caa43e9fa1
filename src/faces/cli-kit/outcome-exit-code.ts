import { isOpen, type Severity, severityAtLeast } from '../../core/gap.js';
import type { Outcome, OutcomeStatus } from '../../core/outcome.js';
import type { RunReport } from '../reports/run-report.js';

/** 50 for an approved run with an open gap of severity `failOn` or worse. */
export function outcomeExitCode(outcome: Outcome<unknown>, failOn: Severity | undefined): number {
  const code = statusCodes[outcome.status];
  if (code !== 0 || failOn === undefined) return code;
  const gaps = outcome.review?.gaps ?? [];
  return gaps.some((gap) => isOpen(gap) && severityAtLeast(gap.severity, failOn)) ? 50 : 0;
}

/**
 * All checks that apply passed, and nobody was there to judge the rest. Such a run is not approved.
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

const statusCodes: Readonly<Record<OutcomeStatus, number>> = {
  approved: 0,
  accepted: 0,
  rejected: 51,
  timed_out: 52,
  suspended: 53,
  failed: 1,
  cancelled: 130,
  escalated: 50,
  exhausted: 50,
  stalled: 50,
  inconclusive: 50,
};
