import type { ReviewError, ReviewLoopError } from '../core/errors.js';
import type { HumanRequest } from '../core/human.js';
import type { Acceptance, Outcome, OutcomeStatus } from '../core/outcome.js';
import type { Version } from '../core/version.js';
import type { Run } from './run.js';

/** How a loop ended, before it is told as an outcome. */
export interface RunResult<Output> {
  readonly status: OutcomeStatus;
  readonly code: string;
  readonly reason: string;
  /** What comes back. */
  readonly version: Version<Output> | undefined;
  readonly acceptance?: Acceptance | undefined;
  readonly requests?: readonly [HumanRequest, ...HumanRequest[]] | undefined;
  readonly decidedBy?: string | undefined;
  readonly error?: ReviewError | undefined;
}

/** The outcome of a run that ended so. */
export function outcomeOf<Output>(run: Run, ending: RunResult<Output>): Outcome<Output> {
  const { status, code, reason, version, decidedBy, error } = ending;
  const output = version?.output;
  const tree = version?.tree;
  const { produce, review, address } = run.ledger.usage;
  const ended = {
    runId: run.id,
    reason,
    code,
    reviews: run.reviews,
    usage: { produce, review, address },
    ...(version !== undefined && { version: version.digest }),
    ...(tree !== undefined && { workspace: tree }),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(error !== undefined && { error }),
  };
  switch (status) {
    case 'approved':
      return { ...ended, status, approved: true, output: output as Output };
    case 'accepted':
      return {
        ...ended,
        status,
        approved: false,
        output: output as Output,
        acceptance: ending.acceptance as Acceptance,
      };
    case 'suspended':
      return {
        ...ended,
        status,
        approved: false,
        output: output as Output,
        requests: ending.requests as readonly [HumanRequest, ...HumanRequest[]],
      };
    case 'rejected':
    case 'escalated':
    case 'exhausted':
    case 'stalled':
    case 'inconclusive':
    case 'failed':
    case 'timed_out':
    case 'cancelled':
      return { ...ended, status, approved: false, output };
  }
}

/** How a run ends that could not go on: its time was up, it was cancelled, or something broke. */
export function failedResult<Output>(
  error: ReviewLoopError,
  version: Version<Output> | undefined,
): RunResult<Output> {
  const status =
    error.code === 'run_timed_out'
      ? 'timed_out'
      : error.code === 'cancelled'
        ? 'cancelled'
        : 'failed';
  return { status, code: error.code, reason: error.message, version, error };
}
