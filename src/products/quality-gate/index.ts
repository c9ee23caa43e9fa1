/**
 * DeepWork's quality gate: outputs of workflow steps against named criteria, and a server of the Model
 * Context Protocol for coding agents. Node only.
 *
 * @module
 */

export {
  type GateServers,
  gateServer,
  type ServedGate,
  serveGate,
} from '../../faces/mcp/gate-server.js';
export type { BeginStep, FinishedStep } from './finished-step.js';
export { QualityGateError } from './gate-error.js';
export { type GateJob, GateJobSchema } from './gate-job.js';
export type { QualityGateOptions } from './gate-options.js';
export type { GateReview } from './gate-plan.js';
export type { GateReport, ReviewResult } from './gate-report.js';
export type { GateResult } from './gate-result.js';
export { GateSession } from './gate-session.js';
export type { GateSessionOptions } from './gate-session-options.js';
export { type GateState, GateStateSchema, type StepState } from './gate-state.js';
export { type GateStateStore, gateStateFile, gateStateMemory } from './gate-state-store.js';
export type { GateOutputs } from './payload/gate-outputs.js';
export { type EvaluateResult, QualityGate } from './quality-gate.js';
export { computeTimeout } from './review-outputs.js';
