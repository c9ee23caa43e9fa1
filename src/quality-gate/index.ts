/**
 * The quality gate of seed 000: outputs of workflow steps against named criteria. Node only, because it reads files.
 *
 * @module
 */

export { computeTimeout, type TimeoutOptions } from './compute-timeout.js';
export type { BeginStep, FinishedStep } from './finished-step.js';
export { QualityGateError } from './gate-error.js';
export type { InstructionsInput } from './gate-instructions.js';
export { type GateJob, GateJobSchema, type GateStep, GateStepSchema } from './gate-job.js';
export { defaultMaxInlineFiles, type GateCli, type QualityGateOptions } from './gate-options.js';
export {
  type GateReview,
  GateReviewSchema,
  type ReviewsInput,
  type SkippedReview,
} from './gate-plan.js';
export type { GateReport, ReviewResult } from './gate-report.js';
export {
  type CriterionVerdict,
  GateAnswerSchema,
  type GateResult,
  parseResult,
} from './gate-result.js';
export { type FinishedStepInput, GateSession, type SubmittedVerdict } from './gate-session.js';
export type { GateSessionOptions } from './gate-session-options.js';
export {
  type FailedReview,
  FailedReviewSchema,
  type GateState,
  GateStateSchema,
  gateStateMemory,
  type StepState,
  StepStateSchema,
} from './gate-state.js';
export { type GateStateStore, gateStateFile } from './payload/gate-files.js';
export type { GateOutputs, OutputType, OutputTypes } from './payload/outputs.js';
export { type EvaluateInput, QualityGate } from './quality-gate.js';
