/**
 * Composable review pipelines for what LLM agents produce.
 *
 * @module
 */

export { addressWithModel } from './blocks/address/address-with-model.js';
export { definePipeline, reviewOutput } from './blocks/pipeline/define-pipeline.js';
export type { Pipeline, PipelineOptions } from './blocks/pipeline/pipeline-options.js';
export { type BatchResult, runAll } from './blocks/pipeline/run-all.js';
export type { Trust } from './blocks/pipeline/trust-presets.js';
export { confirm } from './blocks/reviewers/confirm.js';
export { type CriteriaMap, type Criterion, criterion } from './blocks/reviewers/criterion.js';
export { llmCriteria } from './blocks/reviewers/llm-criteria.js';
export { llmCriterion } from './blocks/reviewers/llm-criterion.js';
export type { LlmCriterionOptions } from './blocks/reviewers/llm-criterion-options.js';
export { pairwise } from './blocks/reviewers/pairwise.js';
export { panel } from './blocks/reviewers/panel.js';
export { requirementCoverage } from './blocks/reviewers/requirement-coverage.js';
export { verified } from './blocks/reviewers/verified.js';
export type { Artifact, Artifacts } from './core/artifact.js';
export { type Assessment, isJudged, type JudgedAssessment } from './core/assessment.js';
export type { RequirementCoverage } from './core/coverage.js';
export type {
  CheckResult,
  CriterionContext,
  CriterionFn,
  CriterionOptions,
  CriterionResult,
  Finding,
} from './core/criterion.js';
export type { Decision } from './core/decision.js';
export { isReviewError, type ReviewError, ReviewLoopError } from './core/errors.js';
export type { ReviewEvents, RunEvent } from './core/event.js';
export {
  type Effort,
  type Gap,
  type GapCategory,
  gap,
  isOpen,
  type Location,
  type Severity,
} from './core/gap.js';
export type { AskRequest, HumanAnswer, HumanRequest } from './core/human.js';
export type { LLMProvider, LLMRequest, LLMResult } from './core/llm-provider.js';
export type { Acceptance, Outcome, OutcomeStatus } from './core/outcome.js';
export type { Evidence, Policy, UndecidedReview } from './core/policy.js';
export { keepBest, type Ranking } from './core/ranking.js';
export type { Review } from './core/review.js';
export type {
  FixContext,
  Reviewer,
  ReviewerAnswer,
  ReviewerContext,
  ReviewSubject,
} from './core/reviewer.js';
export type { KnownScores, Scores } from './core/scores.js';
export type { Step, StepContext } from './core/step.js';
export type { Usage } from './core/usage.js';
export type { AddressContext, Budget, ProduceContext } from './engine/definition.js';
export type { RunListeners } from './engine/events.js';
export { allPass } from './engine/policies/all-pass.js';
export { doNoHarm } from './engine/policies/do-no-harm.js';
export { escalateOver } from './engine/policies/escalate-over.js';
export { firstOf } from './engine/policies/first-of.js';
export { noProgress } from './engine/policies/no-progress.js';
export { severityByIteration } from './engine/policies/severity-by-iteration.js';
export { thresholds } from './engine/policies/thresholds.js';
export type { RunOptions } from './engine/run-options.js';
export type { RunStream } from './engine/run-stream.js';
export type { ErrorCode } from './errors.js';
export type { AuditSink } from './ports/audit-chain.js';
export type { Clock } from './ports/clock.js';
export type { LessonStore } from './ports/lesson-store.js';
export { type Limiter, limiter } from './ports/limiter.js';
export type { Logger } from './ports/logger.js';
export { memoryStore } from './ports/memory-store.js';
export { memoryVerdicts } from './ports/memory-verdicts.js';
export type { Random } from './ports/random.js';
export type { Store } from './ports/store.js';
export type { TokenCounter } from './ports/token-counter.js';
export type { VerdictStore } from './ports/verdict-store.js';
export type { Workspace } from './ports/workspace.js';
export {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  textOutput,
} from './products/self-review/agent.js';
export { BaseAgent } from './products/self-review/base-agent.js';
export type { SelfReviewConfig } from './products/self-review/config.js';
export { BaseAgentReviewCriteria } from './products/self-review/criteria/base-agent-review-criteria.js';
export { GapDetector, QualityScorer } from './products/self-review/gap-detector.js';
export type {
  AgentReviewCriteria,
  ReviewCriterion,
} from './products/self-review/review-criterion.js';
export { SelfReviewLoop } from './products/self-review/self-review-loop.js';
export type { SelfReviewResult } from './products/self-review/self-review-result.js';
