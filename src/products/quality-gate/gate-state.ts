import * as z from 'zod';
import { TrySchema } from '../../core/tries.js';
import { CriterionVerdictSchema } from './gate-result.js';

const FailedReviewSchema = z.object({
  review_run_each: z.string(),
  target_file: z.string().nullable(),
  passed: z.boolean(),
  feedback: z.string(),
  criteria_results: z.array(CriterionVerdictSchema),
});
/** A review that did not pass, with DeepWork's fields. */
export interface FailedReview extends z.infer<typeof FailedReviewSchema> {}

const StepStateSchema = z.object({
  /** `stale`: the outputs changed after the gate opened, so it is closed again. */
  status: z.enum(['pending', 'needs_work', 'approved', 'accepted', 'failed', 'stale']),
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
  error: z
    .enum([
      'timed_out',
      'review_failed',
      'reviewer_missing',
      'files_changed',
      'files_unseen',
      'nothing_to_review',
    ])
    .nullable(),
  /** The calls of the last evaluation that no service answered. */
  tries: z.array(TrySchema).default([]),
  /** Criteria that the reviewer did not answer. */
  unanswered: z.array(z.string()).default([]),
  failed_reviews: z.array(FailedReviewSchema),
  /** All verdicts, those of the gate's own reviewer and those that were submitted. */
  verdicts: z.array(
    z.object({
      reviewer: z.string(),
      hash: z.string(),
      passed: z.boolean(),
      feedback: z.string(),
      criteria_results: z.array(CriterionVerdictSchema),
      at: z.string(),
    }),
  ),
  /** The name and reason of whoever opened the gate without a review. */
  override: z
    .object({ who: z.string(), reason: z.string(), at: z.string(), hash: z.string() })
    .nullable(),
  /** The last outputs. Their digest is compared before each step and at the end. */
  outputs: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .nullable()
    .default(null),
  /** The outputs that were handed in, with their paths. None of them may be left out later. */
  handed_in: z.record(z.string(), z.array(z.string())).default({}),
  /** The digest of the step in the job. A step that was edited begins again. */
  step_digest: z.string().nullable().default(null),
});
/** The state of a step. */
export interface StepState extends z.infer<typeof StepStateSchema> {}

/** The state of a session: one job with its steps. */
export const GateStateSchema = z.object({
  schema: z.literal(1),
  session_id: z.string().min(1),
  job: z.string(),
  job_digest: z.string(),
  /** Whether only verdicts of reviewers open the gate. Once set, it stays. */
  verified: z.boolean().default(false),
  steps: z.record(z.string(), StepStateSchema),
});
/** The state of a session: one job with its steps. It is JSON, so a store can contain it. */
export interface GateState extends z.infer<typeof GateStateSchema> {}

export const freshStep: StepState = {
  status: 'pending',
  attempts: 0,
  review_errors: 0,
  hash: null,
  token: null,
  instructions_path: null,
  feedback: null,
  error: null,
  tries: [],
  unanswered: [],
  failed_reviews: [],
  verdicts: [],
  override: null,
  outputs: null,
  handed_in: {},
  step_digest: null,
};

export function isGateOpen({ status }: Pick<StepState, 'status'>): boolean {
  return status === 'approved' || status === 'accepted';
}

export type StepVerdict = StepState['verdicts'][number];

/** It is a fail, if there is any: a fail stands for good. */
export function verdictOn({ verdicts }: StepState, hash: string): StepVerdict | undefined {
  const own = verdicts.filter((verdict) => verdict.hash === hash);
  return own.findLast(({ passed }) => !passed) ?? own.at(-1);
}

export function failuresOn(
  { hash, failed_reviews }: StepState,
  { hash: judged, passed, feedback, criteria_results }: StepVerdict,
): StepState['failed_reviews'] {
  if (hash === judged && failed_reviews.length > 0) return failed_reviews;
  return [{ review_run_each: 'step', target_file: null, passed, feedback, criteria_results }];
}

export function openedStep(
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
