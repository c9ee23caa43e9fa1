import type { Outcome } from '../core/outcome.js';
import type { CompletedWork } from './completed-work.js';

/**
 * The decision of the reviewers. `INCONCLUSIVE`: no judge rejected the work, and something stayed
 * undecided.
 */
export type StageDecision = 'APPROVED' | 'REJECTED' | 'INCONCLUSIVE';

/**
 * The outcome of the work. `overridden`: a person accepted it against the decision. `declined`: a
 * person rejected it. `suspended`: it waits for a person.
 */
export type StageOutcome =
  | 'completed'
  | 'rejected'
  | 'escalated'
  | 'overridden'
  | 'declined'
  | 'timed_out'
  | 'suspended'
  | 'cancelled'
  | 'failed';

/**
 * The error code of a stage result. 001: the stage failed. 002: a dimension could not be assessed.
 * 003: the review timed out. 004: a person declined the work. 005: the summary could not be written
 * or saved.
 */
export type StageErrorCode =
  | 'ACODE-REVIEW-001'
  | 'ACODE-REVIEW-002'
  | 'ACODE-REVIEW-003'
  | 'ACODE-REVIEW-004'
  | 'ACODE-REVIEW-005';

export function stageOutcomeOf(run: Outcome<CompletedWork>): StageOutcome {
  switch (run.status) {
    case 'approved':
      return 'completed';
    case 'accepted':
      return run.acceptance.kind === 'override' ? 'overridden' : 'completed';
    case 'rejected':
      return run.code === 'person_rejected' ? 'declined' : 'rejected';
    case 'exhausted':
      return run.code === 'no_address' ? 'rejected' : 'escalated';
    case 'inconclusive':
      return ranOutOfTime(run) ? 'timed_out' : 'escalated';
    case 'escalated':
    case 'stalled':
      return 'escalated';
    case 'timed_out':
    case 'suspended':
    case 'cancelled':
    case 'failed':
      return run.status;
  }
}

/** Returns whether timeouts are the only reason for a missing verdict. */
function ranOutOfTime({ reviews }: Outcome<CompletedWork>): boolean {
  const codes =
    reviews
      .at(-1)
      ?.assessments.flatMap((assessment) =>
        assessment.verdict === 'errored' ? [assessment.error.code] : [],
      ) ?? [];
  return codes.length > 0 && codes.every((code) => code === 'timeout');
}

export function stageExitCode(outcome: StageOutcome): number {
  switch (outcome) {
    case 'completed':
    case 'overridden':
      return 0;
    case 'rejected':
    case 'escalated':
      return 50;
    case 'declined':
      return 51;
    case 'timed_out':
      return 52;
    case 'suspended':
      return 53;
    case 'cancelled':
      return 130;
    case 'failed':
      return 1;
  }
}

export function stageErrorCode(
  run: Outcome<CompletedWork>,
  outcome: StageOutcome,
): StageErrorCode | undefined {
  if (run.status === 'inconclusive' && outcome !== 'timed_out') return 'ACODE-REVIEW-002';
  switch (outcome) {
    case 'failed':
      return 'ACODE-REVIEW-001';
    case 'timed_out':
      return 'ACODE-REVIEW-003';
    case 'declined':
      return 'ACODE-REVIEW-004';
    case 'completed':
    case 'overridden':
    case 'rejected':
    case 'escalated':
    case 'suspended':
    case 'cancelled':
      return undefined;
  }
}
