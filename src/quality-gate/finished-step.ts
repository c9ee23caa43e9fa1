import { type GateStep, typesOf } from './gate-job.js';
import type { GateReport } from './gate-report.js';
import type { FailedReview, StepState } from './gate-state.js';

/** A step that is to be worked on. */
export interface BeginStep {
  readonly step_id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The answer to an agent that says that it has finished a step. */
export interface FinishedStep {
  readonly status: 'needs_work' | 'next_step' | 'workflow_complete';
  /** How the step went through: reviewed, or let through without. */
  readonly outcome: 'approved' | 'accepted' | null;
  readonly feedback: string | null;
  readonly failed_reviews: readonly FailedReview[] | null;
  readonly instructions_path: string | null;
  /** The digest of what the step made. */
  readonly hash: string;
  readonly attempts: number;
  readonly review_errors: number;
  /** Why the last evaluation came to no verdict. */
  readonly error: StepState['error'];
  readonly begin_step: BeginStep | null;
}

/** A step as an agent is told of it. */
export function beginStep(step: GateStep): BeginStep {
  return {
    step_id: step.id,
    name: step.name ?? null,
    description: step.description ?? null,
    outputs: typesOf(step),
  };
}

/** The answer where the step does not go through yet. */
export function needsWork({
  feedback,
  failed_reviews: failed,
  instructions_path,
  hash,
  attempts,
  review_errors,
  error,
}: StepState): FinishedStep {
  return {
    status: 'needs_work',
    outcome: null,
    feedback,
    failed_reviews: failed.length > 0 ? failed : null,
    instructions_path,
    hash: hash ?? '',
    attempts,
    review_errors,
    error,
    begin_step: null,
  };
}

/** The answer where it does. */
export function advanced(
  { status, hash, feedback, attempts, review_errors }: StepState,
  next: GateStep | undefined,
): FinishedStep {
  return {
    status: next === undefined ? 'workflow_complete' : 'next_step',
    outcome: status === 'approved' ? 'approved' : 'accepted',
    ...{
      feedback,
      failed_reviews: null,
      instructions_path: null,
      hash: hash ?? '',
      attempts,
      review_errors,
      error: null,
    },
    begin_step: next === undefined ? null : beginStep(next),
  };
}

/** The reviews that did not pass, as an agent is told of them. */
export function failedReviews({ failures }: Pick<GateReport, 'failures'>): FailedReview[] {
  return failures.map(({ review_run_each, target_file, passed, feedback, criteria_results }) => ({
    review_run_each,
    target_file,
    passed,
    feedback,
    criteria_results: [...criteria_results],
  }));
}

/** What they say, as one text. */
export function feedbackOf(failures: readonly Pick<FailedReview, 'feedback'>[]): string {
  return failures.map(({ feedback }) => feedback).join('; ');
}

/** What the agent is told to do where it has the work reviewed itself. */
export function selfReviewFeedback(path: string, verified: boolean): string {
  const last = verified
    ? '5. Have the subagent submit its verdict with the hash and the token of the file, then call finished_step again. Nothing else opens the gate; the hash changes with every fix, and so does the file.'
    : '5. Call finished_step again with `quality_review_override_reason`: which criteria passed, and what the subagent said. The reason is recorded.';
  return `Quality review required. The work has not been reviewed yet. Have a subagent do it, not yourself:

1. Spawn a subagent that reads the review instructions in \`${path}\`.
2. It evaluates every criterion there against the outputs, and reports PASS or FAIL for each.
3. Fix every issue that it reports.
4. Repeat with a fresh look until all criteria pass.
${last}`;
}
