import { selfReviewFeedback } from './finished-step.js';
import { typesOf } from './gate-job.js';
import type { SessionSettings } from './gate-session-options.js';
import { failuresOn, type StepState, type StepVerdict } from './gate-state.js';
import { openedStep } from './opened-step.js';
import type { StepReview } from './step-review.js';

/** Writes instructions for the agent's own reviewer, or applies its submitted verdict. */
export async function selfReview(
  { gate, verified, selfReviewInlineFiles: maxInlineFiles, random }: SessionSettings,
  { state, step, input, hash, before }: StepReview,
  verdict: StepVerdict | undefined,
): Promise<StepState> {
  const hasToken = before.hash === hash && before.token !== null;
  if (verified && verdict?.passed === true)
    return {
      ...openedStep(before, hash, { status: 'approved', feedback: verdict.feedback }),
      // a fail that another reviewer submits later closes the gate again
      token: hasToken ? before.token : null,
    };
  if (verified && verdict !== undefined)
    return {
      ...before,
      status: 'needs_work',
      hash,
      token: null,
      instructions_path: null,
      error: null,
      feedback: verdict.feedback,
      failed_reviews: failuresOn(before, verdict),
    };
  const token = hasToken && before.token !== null ? before.token : random.nonce();
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
    error: null,
    failed_reviews: [],
    feedback: selfReviewFeedback(path, verified),
  };
}
