/**
 * Composable review pipelines for what LLM agents produce.
 *
 * @module
 */

export { buildGapAddressingPrompt } from './address/address-prompt.js';
export {
  type AddressWithModelOptions,
  addressWithModel,
  type ModelAddress,
  type ModelAddressContext,
} from './address/address-with-model.js';
export { type MergeOptions, mergeArtifacts } from './address/merge-output.js';
export {
  type ChecklistDraft,
  ChecklistDraftSchema,
  type ChecklistItem,
  ChecklistItemSchema,
  type ChecklistPhase,
  ChecklistPhaseSchema,
  type ChecklistSeverity,
  ChecklistSeveritySchema,
  type ChecklistState,
  ChecklistStateSchema,
  type ChecklistStatus,
  ChecklistStatusSchema,
} from './checklist-gate/checklist.js';
export { ChecklistGate } from './checklist-gate/checklist-gate.js';
export type {
  ChecklistModule,
  ChecklistRule,
  DecomposeContext,
  ItemAnswer,
  VerifyContext,
} from './checklist-gate/checklist-module.js';
export type { ChecklistStore } from './checklist-gate/checklist-store.js';
export { checklistVerdicts } from './checklist-gate/checklist-verdicts.js';
export type { FixGuidance } from './checklist-gate/fix-guidance.js';
export type { ChecklistGateOptions, FixRunContext } from './checklist-gate/gate-options.js';
export type {
  DecomposeOptions,
  Decomposition,
  GateRun,
  GateVerification,
} from './checklist-gate/gate-results.js';
export {
  type ChecklistCounts,
  ChecklistLoopState,
  type GateStatus,
  nextLoopState,
} from './checklist-gate/gate-status.js';
export type { GateOutput } from './checklist-gate/item-reviewer.js';
export { memoryChecklists } from './checklist-gate/memory-checklists.js';
export { checklistModules } from './checklist-gate/modules/checklist-modules.js';
export {
  type DroppedItem,
  type ModelChecklistOptions,
  modelChecklist,
} from './checklist-gate/modules/model-checklist.js';
export {
  type ApplyCheck,
  type PlanCodeOptions,
  planCode,
} from './checklist-gate/modules/plan-code.js';
export { planCompleteness } from './checklist-gate/modules/plan-completeness.js';
export { planDocs } from './checklist-gate/modules/plan-docs.js';
export { postImplCode } from './checklist-gate/modules/post-impl-code.js';
export { postImplDoc } from './checklist-gate/modules/post-impl-doc.js';
export { reconciliation } from './checklist-gate/modules/reconciliation.js';
export {
  type Milestone,
  MilestoneSchema,
  type PlanDocument,
  PlanDocumentSchema,
} from './checklist-gate/plan-document.js';
export { readPlan } from './checklist-gate/read-plan.js';
export { type SelectedItems, selectItems } from './checklist-gate/select-items.js';
export {
  type DecodeOptions,
  decodeChecklist,
  encodeChecklist,
} from './checklist-gate/state-format.js';
export type { ItemResult } from './checklist-gate/transitions.js';
export type {
  Config,
  ConfiguredAddressContext,
  ConfiguredBudget,
  ConfiguredCriteria,
  CriteriaName,
} from './config/config.js';
export { defineConfig } from './config/define-config.js';
export { type Artifact, ArtifactSchema, artifactsOf } from './core/artifact.js';
export {
  type Assessment,
  AssessmentSchema,
  type Comparison,
  ComparisonSchema,
  isJudged,
  type JudgedAssessment,
  type Votes,
  VotesSchema,
} from './core/assessment.js';
export {
  type CoverageEvidence,
  CoverageEvidenceSchema,
  type CoverageState,
  coverageState,
  type RequirementCoverage,
  RequirementCoverageSchema,
} from './core/coverage.js';
export {
  type CheckResult,
  type CriterionContext,
  type CriterionFn,
  type CriterionOptions,
  type CriterionResult,
  CriterionResultSchema,
  type Finding,
  FindingSchema,
} from './core/criterion.js';
export type { Decision, StopStatus } from './core/decision.js';
export { type ErrorCode, errorCodes } from './core/error-codes.js';
export {
  isReviewError,
  type ReviewError,
  type ReviewErrorOptions,
  ReviewLoopError,
} from './core/errors.js';
export type { EventPlace, ReviewEventName, ReviewEvents } from './core/event.js';
export {
  type Effort,
  EffortSchema,
  type Gap,
  type GapCategory,
  GapCategorySchema,
  GapSchema,
  isOpen,
  type Location,
  LocationSchema,
} from './core/gap.js';
export {
  type HumanAnswer,
  type HumanAnswerKind,
  HumanAnswerSchema,
  type HumanRequest,
  HumanRequestSchema,
} from './core/human.js';
export { digestOf } from './core/json.js';
export type { LLMProvider, LLMRequest, LLMResult } from './core/llm-provider.js';
export type { Acceptance, Outcome, OutcomeBase, OutcomeStatus } from './core/outcome.js';
export type { Evidence, JudgeIdentity, Policy, UndecidedReview } from './core/policy.js';
export {
  type KeepBestOptions,
  keepBest,
  type ProtectedCriteria,
  type Ranking,
} from './core/ranking.js';
export type { Review } from './core/review.js';
export type {
  AsksModel,
  BestVersion,
  FixContext,
  Reviewer,
  ReviewerAnswer,
  ReviewerContext,
  ReviewSubject,
} from './core/reviewer.js';
export { type Scores, type ScoreWeights, scoresOf } from './core/scores.js';
export { GapSeveritySchema, type Severity } from './core/severity.js';
export type {
  BudgetReservation,
  CheckCall,
  ReviewBudget,
  Step,
  StepAttempt,
  StepContext,
  StepOptions,
} from './core/step.js';
export { type Usage, UsageSchema } from './core/usage.js';
export type { Version } from './core/version.js';
export type { PlanOptions } from './criteria/plan/plan-rules.js';
export type {
  Diff,
  DiffFile,
  DiffHunk,
  DiffRequest,
  DiffSource,
  DiffStatus,
} from './diff/diff-source.js';
export type { FileSource } from './diff/file-source.js';
export { type FittedDiff, fitDiff, type OmittedFile } from './diff/fit-diff.js';
export { parseDiff } from './diff/parse-diff.js';
export type {
  AddressContext,
  Budget,
  HumanOptions,
  ProduceContext,
  Timeouts,
} from './engine/definition.js';
export type { RequestReference, VersionReference } from './engine/human-answers.js';
export type { RunOptions } from './engine/run-pipeline.js';
export {
  createLessonFromReview,
  type GapPattern,
  GapPatternSchema,
  type LessonDetails,
  LessonDetailsSchema,
  type LessonInput,
  LessonInputSchema,
  lessonsFrom,
} from './lessons/lesson.js';
export type { LessonOptions } from './lessons/lesson-book.js';
export { memoryLessons } from './lessons/memory-lessons.js';
export type { ReadableLessonStore } from './lessons/readable-lesson-store.js';
export { askModel } from './model/answer/ask-model.js';
export type { AskModelOptions, ModelAnswer } from './model/answer/ask-options.js';
export type { JsonSchema } from './model/answer/json-schema.js';
export { toWireSchema, type WireSchema, type WireTarget } from './model/answer/wire-schema.js';
export {
  type Cassette,
  type CassetteEntry,
  CassetteEntrySchema,
  memoryCassette,
  recordCassette,
  replayCassette,
} from './model/middleware/cassette.js';
export {
  type ModelBudget,
  type ModelBudgetOptions,
  type ModelReservation,
  modelBudget,
} from './model/middleware/model-budget.js';
export {
  type ModelPrices,
  type WithBudgetOptions,
  withBudget,
} from './model/middleware/with-budget.js';
export {
  type AnswerCache,
  type CacheOptions,
  memoryAnswers,
  withCache,
} from './model/middleware/with-cache.js';
export { withFallback } from './model/middleware/with-fallback.js';
export { type ExpectedOptions, withRateLimit } from './model/middleware/with-rate-limit.js';
export { type RetryOptions, withRetry } from './model/middleware/with-retry.js';
export { withTimeout } from './model/middleware/with-timeout.js';
export { type FencedText, fence, readFences } from './model/prompt/fence.js';
export type { PromptSection } from './model/prompt/sections.js';
export { type WebhookOptions, webhook } from './people/webhook.js';
export { type AnswerWithOptions, answerWith } from './pipeline/answer-with.js';
export { definePipeline, reviewOutput } from './pipeline/define-pipeline.js';
export type { Pipeline, PipelineOptions } from './pipeline/pipeline-options.js';
export { type BatchOptions, type BatchResult, runAll } from './pipeline/run-all.js';
export type { TrustName } from './pipeline/trust-names.js';
export type { Trust } from './pipeline/trust-presets.js';
export { allPass } from './policies/all-pass.js';
export { askDisputed } from './policies/ask-disputed.js';
export { type RepairLedger, repairLedger } from './policies/attempts.js';
export { type DoNoHarmOptions, doNoHarm } from './policies/do-no-harm.js';
export { type EscalateOptions, escalateOver } from './policies/escalate-over.js';
export { firstOf } from './policies/first-of.js';
export { holdProtected } from './policies/hold-protected.js';
export { type NoProgressOptions, noProgress } from './policies/no-progress.js';
export { type PreferredOptions, preferred } from './policies/preferred.js';
export { bestOf, type ResampleOptions, refineOrResample } from './policies/sampling.js';
export {
  type SeverityByIterationOptions,
  severityByIteration,
} from './policies/severity-by-iteration.js';
export { type ThresholdOptions, thresholds } from './policies/thresholds.js';
export {
  type AuditEntry,
  AuditEntrySchema,
  type AuditMark,
  AuditMarkSchema,
  type AuditProblem,
  type AuditRecord,
  AuditRecordSchema,
} from './ports/audit-chain.js';
export type { AuditSink } from './ports/audit-sink.js';
export { type Clock, systemClock } from './ports/clock.js';
export type { HumanGate, HumanTexts } from './ports/human-gate.js';
export type { LearnableRun, LessonStore } from './ports/lesson-store.js';
export { type Limiter, type LimiterOptions, limiter } from './ports/limiter.js';
export type { Logger } from './ports/logger.js';
export { memoryStore } from './ports/memory-store.js';
export { type MemoryVerdictsOptions, memoryVerdicts } from './ports/memory-verdicts.js';
export { type Random, systemRandom } from './ports/random.js';
export {
  type RateLimit,
  type RateLimitOptions,
  type RatePass,
  rateLimit,
} from './ports/rate-limit.js';
export {
  type Journal,
  type JournalRecord,
  JournalRecordSchema,
  type RunRecord,
  type Store,
} from './ports/store.js';
export { estimatedTokens, type TokenCounter } from './ports/token-counter.js';
export {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictInputs,
  VerdictInputsSchema,
  type VerdictStore,
  verdictKey,
} from './ports/verdict-store.js';
export type { Workspace, WorkspaceClaim } from './ports/workspace.js';
export { redactJson } from './redact/redact-json.js';
export { redactJsonAsync } from './redact/redact-json-async.js';
export { redactSecretsAsync } from './redact/redact-with-secretlint.js';
export { redactSecrets } from './redact/secrets.js';
export {
  type EvidenceFinder,
  type EvidenceOptions,
  evidenceFinder,
  type RequirementEvidence,
} from './requirements/evidence.js';
export { explicitRequirements } from './requirements/explicit-requirements.js';
export {
  type MatchOptions,
  type MatchSource,
  matchRequirement,
  type RequirementMatch,
} from './requirements/match.js';
export {
  type ModelRequirementsOptions,
  modelRequirements,
} from './requirements/model-requirements.js';
export {
  type Requirement,
  RequirementSchema,
  type RequirementStrength,
} from './requirements/requirement.js';
export {
  RequirementExtractor,
  type RequirementExtractorOptions,
} from './requirements/requirement-extractor.js';
export {
  combineStrategies,
  type RequirementStrategy,
  type StrategyContext,
} from './requirements/strategy.js';
export {
  type TraceabilityMatrix,
  type TraceabilityRow,
  traceabilityMatrix,
} from './requirements/traceability.js';
export {
  type ChangedFile,
  ChangedFileSchema,
  ChangeKindSchema,
  type CompletedWork,
  CompletedWorkSchema,
  ExecutionResultSchema,
  VerificationResultSchema,
} from './reviewer-stage/completed-work.js';
export type { ConfiguredReviewer } from './reviewer-stage/config.js';
export {
  type AssessContext,
  type Dimension,
  type DimensionIssue,
  DimensionIssueSchema,
  type DimensionResult,
  DimensionResultSchema,
  type ReviewDepth,
} from './reviewer-stage/dimension.js';
export {
  DimensionAssessor,
  type DimensionAssessorOptions,
} from './reviewer-stage/dimension-assessor.js';
export {
  ChecklistDimension,
  type DimensionQuestion,
  type DimensionSettings,
} from './reviewer-stage/dimensions/checklist-dimension.js';
export { CodeQualityDimension } from './reviewer-stage/dimensions/code-quality.js';
export { CompletenessDimension } from './reviewer-stage/dimensions/completeness.js';
export { ConsistencyDimension } from './reviewer-stage/dimensions/consistency.js';
export { defaultDimensions } from './reviewer-stage/dimensions/default-dimensions.js';
export { type DimensionOptions, dimension } from './reviewer-stage/dimensions/dimension.js';
export { IntentAlignmentDimension } from './reviewer-stage/dimensions/intent-alignment.js';
export { SafetyDimension } from './reviewer-stage/dimensions/safety.js';
export { type DimensionBar, fromDimension } from './reviewer-stage/from-dimension.js';
export { levelAtLeast } from './reviewer-stage/level-at-least.js';
export {
  levelOfScore,
  levelRank,
  type QualityLevel,
  QualityLevelSchema,
  scoreOfLevel,
} from './reviewer-stage/quality-level.js';
export { type OrchestratorStage, ReviewerStage } from './reviewer-stage/reviewer-stage.js';
export type { SampleBounds } from './reviewer-stage/samples-of.js';
export type { NamedDimension, StageDimension } from './reviewer-stage/stage-dimension.js';
export type { StageFeedback } from './reviewer-stage/stage-feedback.js';
export {
  type IssueCount,
  type StageMetrics,
  stageMetrics,
} from './reviewer-stage/stage-metrics.js';
export type { ReplanContext, ReviewerStageOptions } from './reviewer-stage/stage-options.js';
export type { StageDecision, StageOutcome } from './reviewer-stage/stage-outcome.js';
export type { StageErrorCode, StageResult } from './reviewer-stage/stage-result.js';
export {
  cycleLines,
  humanReviewLines,
  levelName,
  overrideLines,
  reviewLines,
  summaryLines,
  type TextCleaner,
} from './reviewer-stage/stage-text.js';
export {
  type StageSummary,
  StageSummarySchema,
  type SummaryFacts,
  SummaryGenerator,
} from './reviewer-stage/summary-generator.js';
export { type WorkFromDiffOptions, workFromDiff } from './reviewer-stage/work-from-diff.js';
export { type ConfirmOptions, confirm } from './reviewers/confirm.js';
export {
  type CriteriaEntry,
  type CriteriaMap,
  type Criterion,
  criterion,
  fromScorer,
  type ScorerResult,
} from './reviewers/criterion.js';
export type { JudgeOptions } from './reviewers/judge.js';
export { type LlmCriteriaOptions, llmCriteria } from './reviewers/llm-criteria.js';
export { llmCriterion } from './reviewers/llm-criterion.js';
export type { LlmCriterionOptions } from './reviewers/llm-criterion-options.js';
export {
  type CoverageModel,
  type ModelCoverageOptions,
  modelCoverage,
} from './reviewers/model-coverage.js';
export { type PairwiseOptions, pairwise } from './reviewers/pairwise.js';
export { panel } from './reviewers/panel.js';
export type { PanelOptions } from './reviewers/panel-options.js';
export {
  type CoverageJudge,
  type RequirementCoverageOptions,
  type RequirementSource,
  requirementCoverage,
} from './reviewers/requirement-coverage.js';
export { type VerifiedOptions, verified } from './reviewers/verified.js';
export {
  type AgentOutput,
  AgentOutputSchema,
  type AgentRequest,
  agentRequest,
  textOutput,
} from './self-review/agent.js';
export type { GivenCriteria } from './self-review/agent-reviewers.js';
export { BaseAgent } from './self-review/base-agent.js';
export {
  type PartialSelfReviewConfig,
  type SelfReviewConfig,
  SelfReviewConfigSchema,
  selfReviewConfig,
} from './self-review/config.js';
export { BaseAgentReviewCriteria } from './self-review/criteria/base-agent-review-criteria.js';
export { ProjectManagerReviewCriteria } from './self-review/criteria/project-manager.js';
export { UIDesignerReviewCriteria } from './self-review/criteria/ui-designer.js';
export {
  type Detection,
  GapDetector,
  type GapDetectorOptions,
} from './self-review/gap-detector.js';
export { type ArtifactImprovements, mergeImprovements } from './self-review/merge-improvements.js';
export { QualityScorer } from './self-review/quality-scorer.js';
export { coverageOf } from './self-review/record.js';
export type {
  AgentReviewCriteria,
  ReviewCriterion,
  SelfReviewContext,
} from './self-review/review-criterion.js';
export {
  type AddressGaps,
  type ExecuteOptions,
  type ProduceOutput,
  type SelfReviewExecution,
  SelfReviewLoop,
  type SelfReviewPorts,
  type SelfReviewRun,
  selfReviewPolicy,
} from './self-review/self-review-loop.js';
export {
  type ReviewDecision,
  ReviewDecisionSchema,
  type SelfReviewResult,
  SelfReviewResultSchema,
} from './self-review/self-review-result.js';
export type { RoleReview } from './task-review/ask-role.js';
export {
  type AttemptStore,
  memoryAttempts,
  ReviewVerdictSchema,
  type TaskAttempt,
  TaskAttemptSchema,
} from './task-review/attempt-store.js';
export {
  buildReviewPrompt,
  type ReviewPromptConfig,
  type ReviewPromptContext,
} from './task-review/build-review-prompt.js';
export type { CodeReviewConfig, CodeReviewContext } from './task-review/code-review-config.js';
export type { ConfiguredExecutor } from './task-review/config.js';
export { type ParsedTask, parseTasks, sortTasks } from './task-review/parse-tasks.js';
export { type ParsedVerdict, parseVerdicts } from './task-review/parse-verdicts.js';
export { type PostDoneOptions, postDoneHook } from './task-review/post-done-hook.js';
export { type ReviewIssue, ReviewIssueSchema } from './task-review/review-answer.js';
export { type CodeReview, reviewCode, runCodeReview } from './task-review/review-code.js';
export {
  type ReviewRole,
  reviewRoles,
  type VerdictFormat,
} from './task-review/review-templates.js';
export {
  aggregateVerdicts,
  type ReviewedVerdict,
  ReviewVerdict,
} from './task-review/review-verdict.js';
export { type ReviewTask, ReviewTaskSchema } from './task-review/task.js';
export { type TaskChange, TaskChangeSchema } from './task-review/task-change.js';
export type { TaskCheck } from './task-review/task-checks.js';
export type { ReviewPolicy } from './task-review/task-policy.js';
export { formatReviewFindings, taskQuestionTexts } from './task-review/task-question-texts.js';
export {
  isPermanentTaskError,
  type TaskErrorCode,
  type TaskResult,
} from './task-review/task-result.js';
export { TaskReview } from './task-review/task-review.js';
export type { ExecuteContext, TaskReviewOptions } from './task-review/task-review-options.js';
export { taskStatusLine } from './task-review/task-status.js';
export { type TaskWork, TaskWorkSchema } from './task-review/task-work.js';
