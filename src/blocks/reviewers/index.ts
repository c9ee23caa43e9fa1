/**
 * Policies, presets of trust, scorers of other libraries, and the types of reviewers and judges.
 *
 * @module
 */

export { type EvaliteScorer, evaliteScorer } from '../../adapters/scorers/evalite-scorer.js';
export { fromDecisions } from '../../adapters/scorers/from-decisions.js';
export { fromScorer } from '../../adapters/scorers/from-scorer.js';
export {
  type PromptfooAssertion,
  promptfooAssertion,
} from '../../adapters/scorers/promptfoo-assertion.js';
export type { ReviewScore } from '../../adapters/scorers/review-score.js';
export type { ScorerSubject } from '../../adapters/scorers/scorer-options.js';
export { type ReviewScorer, toScorer } from '../../adapters/scorers/to-scorer.js';
export type { ProtectedCriteria } from '../../core/ranking.js';
export { type ScoreWeights, scoresOf } from '../../core/scores.js';
export { type RepairLedger, repairLedger } from '../../engine/policies/attempts.js';
export { askDisputed, holdProtected } from '../../engine/policies/guards.js';
export { preferred } from '../../engine/policies/preferred.js';
export { bestOf, refineOrResample } from '../../engine/policies/sampling.js';
export type { ThresholdOptions } from '../../engine/policies/thresholds.js';
export { type Address, type GuardedAddress, onlyAsked } from '../address/only-asked.js';
export type { TrustName } from '../pipeline/trust-names.js';
export {
  autonomous,
  fast,
  guarded,
  type TieredReviewers,
} from '../pipeline/trust-presets.js';
export { inTurn } from './in-turn.js';
export type { JudgeOptions } from './judge.js';
export type { GradeOptions } from './llm-criterion-options.js';
