import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { type GateStep, isAbsent } from './gate-job.js';
import { parseResult } from './gate-result.js';
import type { SessionSettings } from './gate-session-options.js';
import { isGateOpen, type StepState } from './gate-state.js';

export interface SubmittedVerdict {
  readonly stepId: string;
  readonly reviewer: string;
  /** The hash in the instructions. */
  readonly hash: string;
  /** The token in the instructions. */
  readonly token: string;
  /** The structured answer, in DeepWork's format. */
  readonly result: unknown;
}

/** A fail uses up the token, so that no other verdict on the same content follows it. */
export function withSubmittedVerdict(
  { maxAttempts, clock, gate }: Pick<SessionSettings, 'maxAttempts' | 'clock' | 'gate'>,
  { step, before }: { readonly step: GateStep; readonly before: StepState },
  submitted: SubmittedVerdict,
): StepState {
  checkSubmitted(submitted, before);
  const { reviewer, hash } = submitted;
  const { passed, feedback, criteria_results } = parseResult(submitted.result);
  const unanswered = criteriaOf(step, before).filter(
    (name) => !criteria_results.some(({ criterion }) => criterion === name),
  );
  if (passed && unanswered.length > 0 && gate.everyCriterion)
    throw new QualityGateError(
      gateErrors.gate_result_invalid,
      `the verdict passes, but \`criteria_results\` has no entry for ${unanswered.join(', ')}`,
      { value: submitted.result },
    );
  const at = new Date(clock.now()).toISOString();
  const result = { passed, feedback, criteria_results: [...criteria_results] };
  const judged = {
    ...before,
    unanswered,
    feedback,
    error: null,
    verdicts: [...before.verdicts, { reviewer, hash, ...result, at }],
  };
  if (passed)
    return {
      ...judged,
      status: isGateOpen(before) ? before.status : 'needs_work',
      failed_reviews: [],
    };
  const attempts = before.attempts + 1;
  return {
    ...judged,
    status: attempts >= maxAttempts ? 'failed' : 'needs_work',
    attempts,
    token: null,
    failed_reviews: [{ review_run_each: 'step', target_file: null, ...result }],
  };
}

/** A verdict on the last outputs must answer them. */
function criteriaOf({ reviews }: GateStep, { outputs }: StepState): string[] {
  const names = reviews
    .filter(({ run_each: name }) => name === 'step' || !isAbsent(outputs ?? {}, name))
    .flatMap(({ quality_criteria: criteria }) => Object.keys(criteria));
  return [...new Set(names)];
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
