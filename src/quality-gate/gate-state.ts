import * as z from 'zod';
import { digestOf } from '../core/json.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import type { GateJob } from './gate-job.js';
import type { GateStateStore } from './payload/gate-files.js';

const CriterionSchema = z.object({
  criterion: z.string(),
  passed: z.boolean(),
  feedback: z.string().nullable(),
});
/** A review that did not pass, with the fields of seed 000. */
export const FailedReviewSchema = z.object({
  review_run_each: z.string(),
  target_file: z.string().nullable(),
  passed: z.boolean(),
  feedback: z.string(),
  criteria_results: z.array(CriterionSchema),
});
/** A review that did not pass, with the fields of seed 000. */
export type FailedReview = z.infer<typeof FailedReviewSchema>;

/** What is known of a step. */
export const StepStateSchema = z.object({
  status: z.enum(['pending', 'needs_work', 'approved', 'accepted', 'failed']),
  /** Evaluations that came to a verdict and did not pass. */
  attempts: z.int().min(0),
  /** Evaluations that came to none. */
  review_errors: z.int().min(0),
  /** The digest of what the step made last. */
  hash: z.string().nullable(),
  /** What a verdict on that must repeat. */
  token: z.string().nullable(),
  instructions_path: z.string().nullable(),
  feedback: z.string().nullable(),
  /** Why the last evaluation came to no verdict. */
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
  /** Who let the step through without a review, and why. */
  override: z
    .object({ who: z.string(), reason: z.string(), at: z.string(), hash: z.string() })
    .nullable(),
});
/** What is known of a step. */
export type StepState = z.infer<typeof StepStateSchema>;

/** What is known of a job under way. */
export const GateStateSchema = z.object({
  schema: z.literal(1),
  session_id: z.string().min(1),
  job: z.string(),
  job_digest: z.string(),
  steps: z.record(z.string(), StepStateSchema),
});
/** What is known of a job under way: JSON, so that it survives the process. */
export type GateState = z.infer<typeof GateStateSchema>;

/** Nothing is known of a step yet. */
export const freshStep: StepState = {
  ...{
    status: 'pending',
    attempts: 0,
    review_errors: 0,
    hash: null,
    token: null,
    instructions_path: null,
    feedback: null,
    error: null,
  },
  ...{ failed_reviews: [], verdicts: [], override: null },
};

/**
 * The state that was saved, or a new one.
 *
 * @throws QualityGateError `gate_state_invalid` when it is of another job or session, or no state
 */
export async function loadState(
  store: GateStateStore,
  job: GateJob,
  sessionId: string | undefined,
  newId: () => string,
): Promise<GateState> {
  const kept = await store.load();
  const job_digest = digestOf({
    name: job.name,
    steps: job.steps.map(({ id, outputs, reviews }) => ({ id, outputs, reviews })),
  });
  if (kept === undefined)
    return { schema: 1, session_id: sessionId ?? newId(), job: job.name, job_digest, steps: {} };
  const parsed = GateStateSchema.safeParse(kept);
  if (!parsed.success)
    throw new QualityGateError(
      gateErrors.gate_state_invalid,
      `the state of the gate was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: kept },
    );
  if (parsed.data.job_digest !== job_digest)
    throw new QualityGateError(
      gateErrors.gate_state_invalid,
      `the state is of job ${parsed.data.job} as it was before its steps were changed`,
    );
  if (sessionId !== undefined && parsed.data.session_id !== sessionId)
    throw new QualityGateError(
      gateErrors.gate_state_invalid,
      `the state is of session ${parsed.data.session_id}, not of ${sessionId}`,
    );
  return parsed.data;
}

/** Keeps the state for as long as the process lives. */
export function gateStateMemory(): GateStateStore {
  let kept: string | undefined;
  return {
    load: async () => (kept === undefined ? undefined : (JSON.parse(kept) as unknown)),
    save: async (state) => {
      kept = JSON.stringify(state);
    },
  };
}
