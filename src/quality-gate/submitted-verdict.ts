import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { parseResult } from './gate-result.js';
import type { StepState } from './gate-state.js';

/** The verdict of a reviewer that an agent started. */
export interface SubmittedVerdict {
  readonly stepId: string;
  /** The name of the reviewer. */
  readonly reviewer: string;
  /** The hash in the instructions. */
  readonly hash: string;
  /** The token in the instructions. */
  readonly token: string;
  /** The structured answer, in DeepWork's format. */
  readonly result: unknown;
}

/**
 * Returns the state of a step with a submitted verdict.
 *
 * @throws QualityGateError `gate_verdict_refused`, `gate_result_invalid`
 */
export function withSubmittedVerdict(
  step: StepState,
  submitted: SubmittedVerdict,
  { maxAttempts, at }: { readonly maxAttempts: number; readonly at: string },
): StepState {
  checkSubmitted(submitted, step);
  const { reviewer, hash } = submitted;
  const { passed, feedback, criteria_results } = parseResult(submitted.result);
  const result = { passed, feedback, criteria_results: [...criteria_results] };
  const attempts = step.attempts + Number(!passed);
  return {
    ...step,
    status: attempts >= maxAttempts ? 'failed' : 'needs_work',
    attempts,
    feedback,
    failed_reviews: passed ? [] : [{ review_run_each: 'step', target_file: null, ...result }],
    verdicts: [...step.verdicts, { reviewer, hash, ...result, at }],
  };
}

function checkSubmitted(
  { stepId, reviewer, hash, token }: SubmittedVerdict,
  step: StepState,
): void {
  if (typeof reviewer !== 'string' || reviewer.trim() === '')
    throw refused('a verdict needs the name of its reviewer (reviewer)');
  if (step.hash === null || step.token === null)
    throw refused(`step ${stepId} has no review in progress; call finished_step first`);
  if (hash !== step.hash)
    throw refused(`the outputs of step ${stepId} changed after the reviewed version (hash)`);
  if (token !== step.token)
    throw refused(`the token differs from the token in the instructions of step ${stepId}`);
}

function refused(what: string): QualityGateError {
  return new QualityGateError(gateErrors.gate_verdict_refused, what);
}
