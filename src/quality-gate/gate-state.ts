import * as z from 'zod';
import { digestOf } from '../core/json.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import type { GateJob } from './gate-job.js';
import type { GateStateStore } from './gate-state-store.js';

const CriterionSchema = z.object({
  criterion: z.string(),
  passed: z.boolean(),
  feedback: z.string().nullable(),
});
/** A review that did not pass, with DeepWork's fields. */
export const FailedReviewSchema = z.object({
  review_run_each: z.string(),
  target_file: z.string().nullable(),
  passed: z.boolean(),
  feedback: z.string(),
  criteria_results: z.array(CriterionSchema),
});
/** A review that did not pass, with DeepWork's fields. */
export interface FailedReview extends z.infer<typeof FailedReviewSchema> {}

/** The state of a step. */
export const StepStateSchema = z.object({
  status: z.enum(['pending', 'needs_work', 'approved', 'accepted', 'failed']),
  /** The number of evaluations with a verdict that did not pass. */
  attempts: z.int().min(0),
  /** The number of evaluations without a verdict. */
  review_errors: z.int().min(0),
  /** The digest of the last outputs. */
  hash: z.string().nullable(),
  /** The token that a verdict on these outputs must repeat. */
  token: z.string().nullable(),
  /** The path of the instructions for self-review, relative to the root. */
  instructions_path: z.string().nullable(),
  feedback: z.string().nullable(),
  /** The reason why the last evaluation has no verdict. */
  error: z.enum(['timed_out', 'review_failed', 'files_changed']).nullable(),
  failed_reviews: z.array(FailedReviewSchema),
  verdicts: z.array(
    z.object({
      reviewer: z.string(),
      hash: z.string(),
      passed: z.boolean(),
      feedback: z.string(),
      criteria_results: z.array(CriterionSchema),
      at: z.string(),
    }),
  ),
  /** The name and reason of whoever opened the gate without a review. */
  override: z
    .object({ who: z.string(), reason: z.string(), at: z.string(), hash: z.string() })
    .nullable(),
});
/** The state of a step. */
export interface StepState extends z.infer<typeof StepStateSchema> {}

/** The state of a session: one job with its steps. */
export const GateStateSchema = z.object({
  schema: z.literal(1),
  session_id: z.string().min(1),
  job: z.string(),
  job_digest: z.string(),
  steps: z.record(z.string(), StepStateSchema),
});
/** The state of a session: one job with its steps. It is JSON, so a store can contain it. */
export interface GateState extends z.infer<typeof GateStateSchema> {}

/** The state of a step before its first call. */
export const freshStep: StepState = {
  status: 'pending',
  attempts: 0,
  review_errors: 0,
  hash: null,
  token: null,
  instructions_path: null,
  feedback: null,
  error: null,
  failed_reviews: [],
  verdicts: [],
  override: null,
};

/**
 * Returns the saved state of a session, or a new one.
 *
 * @throws QualityGateError `gate_state_invalid` for a malformed state, another job or session
 */
export async function loadState(
  store: GateStateStore,
  job: GateJob,
  { sessionId, newId }: { readonly sessionId: string | undefined; readonly newId: () => string },
): Promise<GateState> {
  const saved = await store.load();
  const job_digest = digestOf({
    name: job.name,
    steps: job.steps.map(({ id, outputs, reviews }) => ({ id, outputs, reviews })),
  });
  if (saved === undefined)
    return { schema: 1, session_id: sessionId ?? newId(), job: job.name, job_digest, steps: {} };
  const parsed = GateStateSchema.safeParse(saved);
  if (!parsed.success)
    throw new QualityGateError(
      gateErrors.gate_state_invalid,
      `the saved state of the gate is invalid: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: saved },
    );
  if (parsed.data.job_digest !== job_digest)
    throw new QualityGateError(
      gateErrors.gate_state_invalid,
      `the steps of job ${parsed.data.job} changed after the state was saved`,
    );
  if (sessionId !== undefined && parsed.data.session_id !== sessionId)
    throw new QualityGateError(
      gateErrors.gate_state_invalid,
      `the saved state belongs to session ${parsed.data.session_id}, not to ${sessionId}`,
    );
  return parsed.data;
}
