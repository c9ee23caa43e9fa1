/**
 * Scorers of evaluation libraries as criteria, and pipelines as scorers.
 *
 * @module
 */

export type { DecisionQuestion } from './decision-scores.js';
export {
  type EvaliteScorer,
  type EvaliteScorerOptions,
  evaliteScorer,
} from './evalite-scorer.js';
export {
  type Decisions,
  type FromDecisionsOptions,
  fromDecisions,
  type GoodAnswers,
} from './from-decisions.js';
export { type FromScorerWithArgs, fromScorer } from './from-scorer.js';
export {
  type PromptfooAssertion,
  type PromptfooAssertionOptions,
  type PromptfooContext,
  type PromptfooOutputOptions,
  type PromptfooResult,
  promptfooAssertion,
} from './promptfoo-assertion.js';
export type {
  ReviewScore,
  ReviewScoreMetadata,
  ScoredCriterion,
  ScoredGap,
  ScoreOf,
} from './review-score.js';
export type { ScoredBy } from './scored-by.js';
export type {
  RunnableScorer,
  ScoredResult,
  Scorer,
  ScorerAnswer,
  ScorerFunction,
} from './scored-result.js';
export type { FromScorerOptions, ScorerOptions } from './scorer-options.js';
export type { ScorerArgs, ScorerSubject } from './scorer-subject.js';
export {
  type ReviewScorer,
  type ScoredCase,
  type TaskOfCase,
  type ToScorerOptions,
  toScorer,
} from './to-scorer.js';
