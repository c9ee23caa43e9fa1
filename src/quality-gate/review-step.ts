import { gateErrors } from './errors.js';
import {
  type FinishedStepInput,
  failedReviews,
  feedbackOf,
  selfReviewFeedback,
} from './finished-step.js';
import { isTimeout, QualityGateError } from './gate-error.js';
import { type GateStep, typesOf } from './gate-job.js';
import type { GateReport } from './gate-report.js';
import type { SessionSettings } from './gate-session-options.js';
import type { GateState, StepState } from './gate-state.js';

/** A finished step to review. */
export interface StepReview {
  readonly state: GateState;
  readonly step: GateStep;
  readonly input: FinishedStepInput;
  /** The digest of the outputs. */
  readonly hash: string;
  /** The state of the step before the review. */
  readonly before: StepState;
}

/** Returns whether the gate of a step is open. */
export function isGateOpen({ status }: StepState): boolean {
  return status === 'approved' || status === 'accepted';
}

/**
 * Reviews a finished step and returns its new state.
 *
 * @throws QualityGateError `gate_attempts_used`, `gate_review_failed`; ReviewLoopError
 * `path_outside`, `audit_unwritable`
 */
export async function reviewStep(
  settings: SessionSettings,
  review: StepReview,
): Promise<StepState> {
  const { before, hash, input, step } = review;
  const { mode, verified } = settings;
  if (isGateOpen(before) && before.hash === hash) return before;
  const reason = input.qualityReviewOverrideReason?.trim() ?? '';
  if (reason !== '' && !(mode === 'self' && verified)) return override(settings, review, reason);
  if (!step.reviews.some(({ quality_criteria: criteria }) => Object.keys(criteria).length > 0))
    return opened(before, hash, {
      status: 'accepted',
      feedback: 'No quality criteria defined - auto-passing',
    });
  checkAttempts(settings, before);
  return mode === 'external' ? externalReview(settings, review) : selfReview(settings, review);
}

/**
 * Checks that a step has attempts left.
 *
 * @throws QualityGateError `gate_attempts_used`, `gate_review_failed`
 */
export function checkAttempts(
  { maxAttempts, maxReviewErrors }: SessionSettings,
  step: StepState,
): void {
  if (isGateOpen(step)) return;
  const { attempts, review_errors, feedback } = step;
  if (attempts >= maxAttempts)
    throw new QualityGateError(
      gateErrors.gate_attempts_used,
      `Quality gate failed after ${attempts} attempts. Feedback: ${feedback ?? ''}`,
    );
  if (review_errors >= maxReviewErrors)
    throw new QualityGateError(
      gateErrors.gate_review_failed,
      `Quality gate could not be evaluated ${review_errors} times. Last: ${feedback ?? ''}`,
    );
}

/**
 * Accepts a step for the agent's own reason, after the audit log recorded it. It never approves.
 */
async function override(
  { audit, clock }: SessionSettings,
  { state, step, input, hash, before }: StepReview,
  reason: string,
): Promise<StepState> {
  const who = input.by ?? 'agent';
  const at = new Date(clock.now()).toISOString();
  await audit?.record({
    kind: 'gate.override',
    who,
    version: hash,
    verdict: before.status,
    decision: 'accepted',
    reason,
    details: { job: state.job, step: step.id, session: state.session_id },
  });
  return {
    ...opened(before, hash, { status: 'accepted', feedback: null }),
    override: { who, reason, at, hash },
  };
}

async function externalReview(
  { gate, maxAttempts }: SessionSettings,
  { step, input, hash, before }: StepReview,
): Promise<StepState> {
  const outputs = { outputs: input.outputs, outputTypes: typesOf(step) };
  const report = await gate.review({
    ...outputs,
    reviews: step.reviews,
    notes: input.notes,
    signal: input.signal,
  });
  const isChanged = (await gate.digest(outputs)) !== hash;
  if (isChanged || report.outcome === 'inconclusive')
    return {
      ...before,
      status: 'needs_work',
      hash,
      review_errors: before.review_errors + 1,
      feedback: isChanged
        ? 'The files changed while they were reviewed, so the review does not count'
        : feedbackOf(report.failures),
      error: isChanged ? 'files_changed' : errorOf(report),
      failed_reviews: failedReviews(report),
    };
  if (report.passed)
    return opened(before, hash, {
      status: report.outcome === 'approved' ? 'approved' : 'accepted',
      feedback: feedbackOf(report.results),
    });
  const attempts = before.attempts + 1;
  return {
    ...before,
    status: attempts >= maxAttempts ? 'failed' : 'needs_work',
    hash,
    attempts,
    error: null,
    feedback: feedbackOf(report.failures),
    failed_reviews: failedReviews(report),
  };
}

/** Writes instructions for the agent's own reviewer, or applies its submitted verdict. */
async function selfReview(
  { gate, verified, selfReviewInlineFiles: maxInlineFiles, random }: SessionSettings,
  { state, step, input, hash, before }: StepReview,
): Promise<StepState> {
  const verdict = verified ? before.verdicts.findLast((given) => given.hash === hash) : undefined;
  if (verdict?.passed === true)
    return opened(before, hash, { status: 'approved', feedback: verdict.feedback });
  if (verdict !== undefined) return { ...before, status: 'needs_work', hash };
  const token = before.hash === hash && before.token !== null ? before.token : random.nonce();
  const path = await gate.writeReviewInstructions({
    reviews: step.reviews,
    outputs: input.outputs,
    outputTypes: typesOf(step),
    notes: input.notes,
    maxInlineFiles,
    sessionId: state.session_id,
    stepId: step.id,
    ...(verified && { verdict: { hash, token } }),
  });
  return {
    ...before,
    status: 'needs_work',
    hash,
    token,
    instructions_path: path,
    failed_reviews: [],
    feedback: selfReviewFeedback(path, verified),
  };
}

function opened(
  before: StepState,
  hash: string,
  end: Pick<StepState, 'status' | 'feedback'>,
): StepState {
  return {
    ...before,
    ...end,
    hash,
    token: null,
    instructions_path: null,
    error: null,
    failed_reviews: [],
    override: null,
  };
}

function errorOf({ failures }: GateReport): StepState['error'] {
  return failures.some(({ error }) => isTimeout(error)) ? 'timed_out' : 'review_failed';
}
