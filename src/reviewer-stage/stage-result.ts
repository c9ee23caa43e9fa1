import type { Outcome } from '../core/outcome.js';
import type { CompletedWork } from './completed-work.js';
import type { StageDimension } from './stage-dimension.js';
import type { StageFeedback } from './stage-feedback.js';
import type { StageDecision, StageOutcome } from './stage-outcome.js';
import type { StageSummary } from './summary-generator.js';

/** The error codes of seed 003. */
export type StageErrorCode =
  | 'ACODE-REVIEW-001'
  | 'ACODE-REVIEW-002'
  | 'ACODE-REVIEW-003'
  | 'ACODE-REVIEW-004'
  | 'ACODE-REVIEW-005';

/** What the reviewer stage gives. */
export interface StageResult {
  readonly decision: StageDecision;
  readonly outcome: StageOutcome;
  /** Why. */
  readonly reasoning: string;
  readonly dimensions: readonly StageDimension[];
  readonly summary: StageSummary | undefined;
  /** What to change, where the work was rejected. */
  readonly feedback: StageFeedback | undefined;
  /** How often the work went back to the planner. */
  readonly cycles: number;
  /** Seed 003's code, where something went wrong. */
  readonly code: StageErrorCode | undefined;
  /** 0, 1, 50, 51, 52, 53 or 130. */
  readonly exitCode: number;
  /** The run behind it: its id, its requests, its cost. */
  readonly run: Outcome<CompletedWork>;
}

/** The stage's view of an outcome. */
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

/** Whether nothing but the time stood in the way of a verdict. */
function ranOutOfTime({ reviews }: Outcome<CompletedWork>): boolean {
  const failed =
    reviews
      .at(-1)
      ?.assessments.flatMap((assessment) =>
        assessment.verdict === 'errored' ? [assessment.error.code] : [],
      ) ?? [];
  return failed.length > 0 && failed.every((code) => code === 'timeout');
}

/** Seed 003's exit code of an outcome. */
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

/** Seed 003's error code of an outcome. */
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
