/**
 * Policies, presets of trust, scorers of other libraries, and the types of reviewers and judges.
 *
 * @module
 */

export { type Address, type GuardedAddress, onlyAsked } from '../address/only-asked.js';
export type { ProtectedCriteria } from '../core/ranking.js';
export { type ScoreWeights, scoresOf } from '../core/scores.js';
export type { TrustName } from '../pipeline/trust-names.js';
export {
  autonomous,
  fast,
  guarded,
  type TieredReviewers,
} from '../pipeline/trust-presets.js';
export { type RepairLedger, repairLedger } from '../policies/attempts.js';
export { askDisputed, holdProtected } from '../policies/guards.js';
export { preferred } from '../policies/preferred.js';
export { bestOf, refineOrResample } from '../policies/sampling.js';
export type { ThresholdOptions } from '../policies/thresholds.js';
export { type EvaliteScorer, evaliteScorer } from '../scorers/evalite-scorer.js';
export { fromDecisions } from '../scorers/from-decisions.js';
export { fromScorer } from '../scorers/from-scorer.js';
export { type PromptfooAssertion, promptfooAssertion } from '../scorers/promptfoo-assertion.js';
export type { ReviewScore } from '../scorers/review-score.js';
export type { ScorerSubject } from '../scorers/scorer-options.js';
export { type ReviewScorer, toScorer } from '../scorers/to-scorer.js';
export { inTurn } from './in-turn.js';
export type { JudgeOptions } from './judge.js';
export type { GradeOptions } from './llm-criterion-options.js';
