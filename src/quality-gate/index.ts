/**
 * DeepWork's quality gate: outputs of workflow steps against named criteria. Node only, because it
 * reads files.
 *
 * @module
 */

export { computeTimeout, type TimeoutOptions } from './compute-timeout.js';
export type { BeginStep, FinishedStep, FinishedStepInput } from './finished-step.js';
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
export { type AcceptedStepInput, GateSession } from './gate-session.js';
export type { GateSessionOptions } from './gate-session-options.js';
export {
  type FailedReview,
  FailedReviewSchema,
  type GateState,
  GateStateSchema,
  type StepState,
  StepStateSchema,
} from './gate-state.js';
export { type GateStateStore, gateStateFile, gateStateMemory } from './gate-state-store.js';
export type { GateOutputs, OutputType, OutputTypes } from './payload/gate-outputs.js';
export { type EvaluateInput, type EvaluateResult, QualityGate } from './quality-gate.js';
export type { SubmittedVerdict } from './submitted-verdict.js';
