import { type GateStep, typesOf } from './gate-job.js';
import type { GateReport } from './gate-report.js';
import { type FailedReview, type GateState, isGateOpen, type StepState } from './gate-state.js';
import type { GateOutputs } from './payload/gate-outputs.js';

export interface FinishedStepInput {
  readonly stepId: string;
  /** The outputs by name, as the step declares them. */
  readonly outputs: GateOutputs;
  /** The author's notes about the work. @default none */
  readonly notes?: string | undefined;
  /**
   * The reason to open the gate without its reviewer. It is recorded and never counts as approval.
   * It opens no gate of a verified session.
   *
   * @default none
   */
  readonly qualityReviewOverrideReason?: string | undefined;
  /** The name of the person or agent who states the reason. @default 'agent' */
  readonly by?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The next step for the agent. */
export interface BeginStep {
  readonly step_id: string;
  readonly name: string | null;
  readonly description: string | null;
  /** The types of the outputs by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** The answer to an agent that finished a step, with DeepWork's fields. */
export interface FinishedStep {
  readonly status: 'needs_work' | 'next_step' | 'workflow_complete';
  /** `approved` after a review, `accepted` without one, `null` while the gate is closed. */
  readonly outcome: 'approved' | 'accepted' | null;
  readonly feedback: string | null;
  readonly failed_reviews: readonly FailedReview[] | null;
  /** The path of the instructions for self-review, relative to the root. */
  readonly instructions_path: string | null;
  readonly hash: string;
  /** The number of failed evaluations. */
  readonly attempts: number;
  /** The number of evaluations without a verdict. */
  readonly review_errors: number;
  /** The reason why the last evaluation has no verdict; else `null`. */
  readonly error: StepState['error'];
  /** The calls of the last evaluation that no service answered, if there were several. */
  readonly tries?: StepState['tries'] | undefined;
  /** Criteria that the reviewer did not answer. */
  readonly unanswered: readonly string[];
  /** Steps that are open again, because their outputs changed after their gate opened. */
  readonly stale: readonly string[];
  /** The next step; `null` while the gate is closed and after the last step. */
  readonly begin_step: BeginStep | null;
}

export function beginStep(step: GateStep): BeginStep {
  return {
    step_id: step.id,
    name: step.name ?? null,
    description: step.description ?? null,
    outputs: typesOf(step),
  };
}

export interface StepPlace {
  readonly next: GateStep | undefined;
  readonly stale: readonly string[];
}

export function answerOf(state: StepState, { next, stale }: StepPlace): FinishedStep {
  const { feedback, hash, attempts, review_errors, unanswered } = state;
  const said = { feedback, hash: hash ?? '', attempts, review_errors, unanswered, stale };
  const { failed_reviews: failed, instructions_path, error, tries } = state;
  if (!isGateOpen(state))
    return {
      status: 'needs_work',
      outcome: null,
      ...said,
      failed_reviews: failed.length > 0 ? failed : null,
      instructions_path,
      error,
      ...(error !== null && tries.length > 0 && { tries }),
      begin_step: null,
    };
  return {
    status: next === undefined ? 'workflow_complete' : 'next_step',
    outcome: state.status === 'approved' ? 'approved' : 'accepted',
    ...said,
    failed_reviews: null,
    instructions_path: null,
    error: null,
    begin_step: next === undefined ? null : beginStep(next),
  };
}

export function failedReviews({ failures }: Pick<GateReport, 'failures'>): FailedReview[] {
  return failures.map(({ review_run_each, target_file, passed, feedback, criteria_results }) => ({
    review_run_each,
    target_file,
    passed,
    feedback,
    criteria_results: [...criteria_results],
  }));
}

export function feedbackOf(failures: readonly Pick<FailedReview, 'feedback'>[]): string {
  return [...new Set(failures.map(({ feedback }) => feedback))].join('; ');
}

export function selfReviewFeedback(path: string, verified: boolean): string {
  const last = verified
    ? '5. Have the subagent submit its verdict with the hash and the token of the ' +
      'file, then call finished_step again. Nothing else opens the gate; the hash ' +
      'changes with every fix, and so does the file.'
    : '5. Call finished_step again with `quality_review_override_reason`: which ' +
      'criteria passed, and what the subagent said. The reason is recorded.';
  return `Quality review required. The work has not been reviewed yet. Have a subagent do it, not yourself:

1. Spawn a subagent that reads the review instructions in \`${path}\`.
2. It evaluates every criterion there against the outputs, and reports PASS or FAIL for each.
3. Fix every issue that it reports.
4. Repeat with a fresh look until all criteria pass.
${last}`;
}

export interface StepReview {
  readonly state: GateState;
  readonly step: GateStep;
  readonly input: FinishedStepInput;
  readonly hash: string;
  readonly before: StepState;
}
