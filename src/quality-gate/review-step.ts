import { gateErrors } from './errors.js';
import { externalReview, failedAgain } from './external-review.js';
import { QualityGateError } from './gate-error.js';
import { hasCriteria } from './gate-job.js';
import type { SessionSettings } from './gate-session-options.js';
import { isGateOpen, type StepState, verdictOn } from './gate-state.js';
import { openedStep } from './opened-step.js';
import { isOpenFor, overrideStep } from './override-step.js';
import { selfReview } from './self-review.js';
import type { StepReview } from './step-review.js';

/**
 * Reviews a finished step and returns its new state.
 *
 * @throws QualityGateError `gate_attempts_used`, `gate_nothing_to_review`; ReviewLoopError
 * `path_outside`, `audit_unwritable`
 */
export async function reviewStep(
  settings: SessionSettings,
  review: StepReview,
): Promise<StepState> {
  const { before, hash, input, step } = review;
  const { mode, verified } = settings;
  if (isOpenFor(review)) return before;
  const reason = input.qualityReviewOverrideReason?.trim() ?? '';
  if (reason !== '' && !verified) return overrideStep(settings, review, reason);
  if (!hasCriteria(step))
    return openedStep(before, hash, {
      status: 'accepted',
      feedback: 'No quality criteria defined - auto-passing',
    });
  checkAttempts(settings, before);
  const verdict = verdictOn(before, hash);
  if (mode === 'self') return selfReview(settings, review, verdict);
  return verdict?.passed === false
    ? failedAgain(review, verdict)
    : externalReview(settings, review);
}

/** @throws QualityGateError `gate_attempts_used` */
function checkAttempts({ maxAttempts }: SessionSettings, step: StepState): void {
  const { attempts, feedback } = step;
  if (attempts >= maxAttempts && !isGateOpen(step))
    throw new QualityGateError(
      gateErrors.gate_attempts_used,
      `Quality gate failed after ${attempts} attempts. Feedback: ${feedback ?? ''}`,
    );
}

/**
 * Checks a step after its review: its attempts, and how often it had no verdict. A review without a
 * verdict does not close the gate: the next call asks again.
 *
 * @throws QualityGateError `gate_attempts_used`, `gate_review_failed`
 */
export function checkOutcome(settings: SessionSettings, step: StepState): void {
  checkAttempts(settings, step);
  const { review_errors, feedback, error } = step;
  if (error !== null && review_errors >= settings.maxReviewErrors && !isGateOpen(step))
    throw new QualityGateError(
      gateErrors.gate_review_failed,
      `Quality gate could not be evaluated ${review_errors} times. Last: ${feedback ?? ''}`,
      { value: error },
    );
}
