/**
 * Policies and rankings beyond the common ones.
 *
 * @module
 */

export type {
  AcceptDecision,
  ApproveDecision,
  AskDecision,
  ReviseDecision,
  StopDecision,
  StopStatus,
} from '../core/decision.js';
export type { JudgeIdentity } from '../core/policy.js';
export type { KeepBestOptions, ProtectedCriteria } from '../core/ranking.js';
export { type Denominator, type ScoreWeights, scoresOf } from '../core/scores.js';
export { askDisputed } from './ask-disputed.js';
export { type RepairLedger, repairLedger } from './attempts.js';
export type { DoNoHarmOptions } from './do-no-harm.js';
export type { EscalateOptions } from './escalate-over.js';
export { holdProtected } from './hold-protected.js';
export type { NoProgressOptions } from './no-progress.js';
export { type PreferredOptions, preferred } from './preferred.js';
export { bestOf, type ResampleOptions, refineOrResample } from './sampling.js';
export type { SeverityByIterationOptions } from './severity-by-iteration.js';
export type { ThresholdOptions } from './thresholds.js';
