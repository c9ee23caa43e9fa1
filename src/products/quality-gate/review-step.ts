import { triesOf } from '../../core/tries.js';
import { gateErrors } from './errors.js';
import { failedReviews, feedbackOf, type StepReview, selfReviewFeedback } from './finished-step.js';
import { isMissing, isTimeout, QualityGateError } from './gate-error.js';
import { hasCriteria, typesOf } from './gate-job.js';
import type { GateReport } from './gate-report.js';
import type { SessionSettings } from './gate-session-options.js';
import {
  failuresOn,
  isGateOpen,
  openedStep,
  type StepState,
  type StepVerdict,
  verdictOn,
} from './gate-state.js';

/** Reviews a finished step and returns its new state. */
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

function checkAttempts({ maxAttempts }: SessionSettings, step: StepState): void {
  const { attempts, feedback } = step;
  if (attempts >= maxAttempts && !isGateOpen(step))
    throw new QualityGateError(
      gateErrors.gate_attempts_used,
      `Quality gate failed after ${attempts} attempts. Feedback: ${feedback ?? ''}`,
    );
}

/** A review without a verdict does not close the gate: the next call asks again. */
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

async function externalReview(
  { gate, maxAttempts, clock }: SessionSettings,
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
  const unanswered = [...new Set(report.results.flatMap((result) => result.unanswered))];
  if (isChanged || report.outcome === 'inconclusive')
    return {
      ...before,
      status: 'needs_work',
      hash,
      review_errors: before.review_errors + 1,
      feedback: isChanged
        ? 'The files changed while they were reviewed, so the review does not count'
        : feedbackOf(report.failures) || whySkipped(report),
      error: isChanged ? 'files_changed' : errorOf(report),
      tries: report.failures.flatMap(({ error }) => [...triesOf(error)]),
      unanswered,
      failed_reviews: failedReviews(report),
    };
  const verdict = verdictIn(report, { hash, at: new Date(clock.now()).toISOString() });
  const judged = { ...before, unanswered, verdicts: [...before.verdicts, verdict] };
  if (report.passed)
    return openedStep(judged, hash, { status: 'approved', feedback: feedbackOf(report.results) });
  return failed(judged, { hash, maxAttempts, verdict, failed_reviews: failedReviews(report) });
}

/** Content that failed before is not reviewed again: no attempt is used. */
function failedAgain(review: StepReview, verdict: StepVerdict): StepState {
  const feedback = `The outputs are those of the last review; change them first. ${verdict.feedback}`;
  return { ...closedBy(review, verdict), feedback };
}

function closedBy({ hash, before }: StepReview, verdict: StepVerdict): StepState {
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
}

interface Failed extends Pick<StepState, 'failed_reviews'> {
  readonly hash: string;
  readonly maxAttempts: number;
  readonly verdict: StepVerdict;
}

function failed(
  before: StepState,
  { hash, maxAttempts, verdict, failed_reviews }: Failed,
): StepState {
  const attempts = before.attempts + 1;
  return {
    ...before,
    status: attempts >= maxAttempts ? 'failed' : 'needs_work',
    hash,
    attempts,
    token: null,
    error: null,
    feedback: verdict.feedback,
    failed_reviews,
  };
}

function errorOf({ failures }: GateReport): StepState['error'] {
  if (failures.some(({ error }) => isTimeout(error))) return 'timed_out';
  if (failures.some(({ error }) => isMissing(error))) return 'reviewer_missing';
  const codes = failures.map(({ error }) => error?.code);
  if (codes.includes(gateErrors.gate_files_changed.code)) return 'files_changed';
  if (codes.includes(gateErrors.gate_files_unseen.code)) return 'files_unseen';
  if (failures.length === 0 || codes.includes(gateErrors.gate_nothing_to_review.code))
    return 'nothing_to_review';
  return 'review_failed';
}

function whySkipped({ skipped }: GateReport): string {
  return `Nothing was reviewed: ${skipped.map(({ reason }) => reason).join('; ')}`;
}

function verdictIn(
  report: GateReport,
  { hash, at }: { readonly hash: string; readonly at: string },
): StepVerdict {
  return {
    reviewer: 'gate',
    hash,
    passed: report.passed,
    feedback: feedbackOf(report.passed ? report.results : report.failures),
    criteria_results: report.results.flatMap(({ criteria_results: all }) => [...all]),
    at,
  };
}

async function selfReview(
  { gate, verified, selfReviewInlineFiles: maxInlineFiles, random }: SessionSettings,
  review: StepReview,
  verdict: StepVerdict | undefined,
): Promise<StepState> {
  const { state, step, input, hash, before } = review;
  const hasToken = before.hash === hash && before.token !== null;
  if (verified && verdict?.passed === true)
    return {
      ...openedStep(before, hash, { status: 'approved', feedback: verdict.feedback }),
      // a fail that another reviewer submits later closes the gate again
      token: hasToken ? before.token : null,
    };
  if (verified && verdict !== undefined) return closedBy(review, verdict);
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

/** The audit log records the reason first. Never approves. */
export async function overrideStep(
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
    ...openedStep(before, hash, { status: 'accepted', feedback: null }),
    override: { who, reason, at, hash },
  };
}

export function isOpenFor({ before, hash }: StepReview): boolean {
  return isGateOpen(before) && before.hash === hash;
}
