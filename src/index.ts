/**
 * Composable review pipelines for what LLM agents produce.
 *
 * @module
 */
export { askModel } from './answers/ask-model.js';
export type { AskModelOptions, ModelAnswer } from './answers/ask-options.js';
export type { JsonSchema } from './answers/json-schema.js';
export { toWireSchema, type WireSchema, type WireTarget } from './answers/wire-schema.js';
export type { Config, ConfiguredAddressContext, ConfiguredBudget, ConfiguredCriteria, CriteriaName } from './config/config.js';
export { defineConfig } from './config/define-config.js';
export type { ConfiguredExecutor } from './config/executor-config.js';
export type { ConfiguredReviewer } from './config/reviewer-config.js';
export { BaseAgentReviewCriteria } from './criteria/base-agent-review-criteria.js';
export type { PlanOptions } from './criteria/plan/plan-rules.js';
export { ProjectManagerReviewCriteria } from './criteria/project-manager.js';
export { UIDesignerReviewCriteria } from './criteria/ui-designer.js';
export { type FittedDiff, fitDiff, type LeftOut } from './diff/fit-diff.js';
export { parseDiff } from './diff/parse-diff.js';
export type { SampleBounds } from './diff/samples-of.js';
export { type WorkFromDiffOptions, workFromDiff } from './diff/work-from-diff.js';
export type { RequestReference, VersionReference } from './engine/answer.js';
export type { AddressContext, Budget, HumanOptions, ProduceContext, Timeouts } from './engine/definition.js';
export type { RunOptions } from './engine/run-pipeline.js';
export { type AddressWithModelOptions, addressWithModel, type ModelAddress, type ModelAddressContext } from './gaps/address-with-model.js';
export { type Improvements, type MergeOptions, mergeArtifacts, mergeImprovements } from './gaps/merge-improvements.js';
export { type WebhookOptions, webhook } from './human/webhook.js';
export { type AgentOutput, AgentOutputSchema, type AgentRequest, agentRequest, textOutput } from './kernel/agent.js';
export { type Artifact, ArtifactSchema, artifactsOf } from './kernel/artifact.js';
export { type Assessment, AssessmentSchema, type Comparison, ComparisonSchema, isJudged, type Judged, type Votes, VotesSchema } from './kernel/assessment.js';
export { type AuditEntry, AuditEntrySchema, type AuditMark, AuditMarkSchema, type AuditProblem, type AuditRecord, AuditRecordSchema } from './kernel/audit.js';
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
} from './kernel/checklist.js';
export type { ItemVerdict } from './kernel/checklist-changes.js';
export { type DecodeOptions, decodeChecklist, encodeChecklist } from './kernel/checklist-file.js';
export { type ChangedFile, ChangedFileSchema, ChangeKindSchema, type CompletedWork, CompletedWorkSchema, ExecutionResultSchema, VerificationResultSchema } from './kernel/completed-work.js';
export { type CoverageEvidence, CoverageEvidenceSchema, type CoverageState, coverageState, type RequirementCoverage, RequirementCoverageSchema } from './kernel/coverage.js';
export {
  type AgentReviewCriteria,
  type CheckResult,
  type CriterionFinding,
  CriterionFindingSchema,
  type CriterionFn,
  type CriterionOptions,
  type CriterionResult,
  CriterionResultSchema,
  type ReviewContext,
  type ReviewCriterion,
} from './kernel/criterion.js';
export type { Decision, StopStatus } from './kernel/decision.js';
export { type AssessContext, type Dimension, type DimensionIssue, DimensionIssueSchema, type DimensionResult, DimensionResultSchema, type ReviewDepth } from './kernel/dimension.js';
export { type ErrorCode, errorCodes } from './kernel/error-codes.js';
export { isReviewError, type ReviewError, type ReviewErrorOptions, ReviewLoopError } from './kernel/errors.js';
export type { EventPlace, ReviewEventName, ReviewEvents } from './kernel/event.js';
export { type Effort, EffortSchema, type Gap, type GapCategory, GapCategorySchema, GapSchema, isOpen, type Location, LocationSchema } from './kernel/gap.js';
export { type HumanAnswer, type HumanAnswerKind, HumanAnswerSchema, type HumanRequest, HumanRequestSchema } from './kernel/human.js';
export { digestOf } from './kernel/json.js';
export {
  createLessonFromReview,
  type GapPattern,
  GapPatternSchema,
  type LessonDetails,
  LessonDetailsSchema,
  type LessonInput,
  LessonInputSchema,
  lessonsFrom,
} from './kernel/lesson.js';
export type { LessonOptions } from './kernel/lesson-book.js';
export type { LLMProvider, LLMRequest, LLMResult } from './kernel/llm-provider.js';
export type { Acceptance, Ended, Outcome, OutcomeStatus } from './kernel/outcome.js';
export type { Evidence, Finding, JudgeIdentity, Policy } from './kernel/policy.js';
export { levelOfScore, levelRank, type QualityLevel, QualityLevelSchema, scoreOfLevel } from './kernel/quality-level.js';
export { type KeepBestOptions, keepBest, type Protected, type Ranking } from './kernel/ranking.js';
export { redactJson } from './kernel/redact-json.js';
export type { Review } from './kernel/review.js';
export type { AsksModel, BestSoFar, FixContext, Reviewer, ReviewerAnswer, ReviewerContext, Subject } from './kernel/reviewer.js';
export { type Scores, type ScoreWeights, scoresOf } from './kernel/scores.js';
export { redactSecrets } from './kernel/secrets.js';
export { type ReviewDecision, ReviewDecisionSchema, type SelfReviewResult, SelfReviewResultSchema } from './kernel/self-review.js';
export { type PartialSelfReviewConfig, type SelfReviewConfig, SelfReviewConfigSchema, selfReviewConfig } from './kernel/self-review-config.js';
export { coverageOf } from './kernel/self-review-record.js';
export { GapSeveritySchema, type Severity } from './kernel/severity.js';
export type { BudgetReservation, CheckCall, ReviewBudget, Step, StepAttempt, StepContext, StepOptions } from './kernel/step.js';
export type { Trust } from './kernel/trust.js';
export { type Usage, UsageSchema } from './kernel/usage.js';
export type { Version } from './kernel/version.js';
export type { GivenCriteria } from './pipelines/agent-reviewers.js';
export { type AnswerWithOptions, answerWith } from './pipelines/answer-with.js';
export { BaseAgent } from './pipelines/base-agent.js';
export { ChecklistGate } from './pipelines/checklist-gate/checklist-gate.js';
export type { ChecklistModule, ChecklistRule, DecomposeContext, ItemAnswer, VerifyContext } from './pipelines/checklist-gate/checklist-module.js';
export { checklistVerdicts } from './pipelines/checklist-gate/checklist-verdicts.js';
export type { FixGuidance } from './pipelines/checklist-gate/fix-guidance.js';
export type { ChecklistGateOptions, FixRunContext } from './pipelines/checklist-gate/gate-options.js';
export type { DecomposeOptions, Decomposition, GateRun, GateVerification } from './pipelines/checklist-gate/gate-results.js';
export { type ChecklistCounts, type GateStatus, LoopState, nextLoopState } from './pipelines/checklist-gate/gate-status.js';
export type { GateOutput } from './pipelines/checklist-gate/item-reviewer.js';
export { checklistModules } from './pipelines/checklist-gate/modules/checklist-modules.js';
export { type DroppedItem, type ModelChecklistOptions, modelChecklist } from './pipelines/checklist-gate/modules/model-checklist.js';
export { type ApplyCheck, type PlanCodeOptions, planCode } from './pipelines/checklist-gate/modules/plan-code.js';
export { planCompleteness } from './pipelines/checklist-gate/modules/plan-completeness.js';
export { planDocs } from './pipelines/checklist-gate/modules/plan-docs.js';
export { postImplCode } from './pipelines/checklist-gate/modules/post-impl-code.js';
export { postImplDoc } from './pipelines/checklist-gate/modules/post-impl-doc.js';
export { reconciliation } from './pipelines/checklist-gate/modules/reconciliation.js';
export { type Milestone, MilestoneSchema, type PlanDocument, PlanDocumentSchema } from './pipelines/checklist-gate/plan-document.js';
export { readPlan } from './pipelines/checklist-gate/read-plan.js';
export { type Selected, selectScope } from './pipelines/checklist-gate/select-scope.js';
export { definePipeline, type Pipeline, type PipelineOptions, reviewOutput } from './pipelines/define-pipeline.js';
export { type Detection, GapDetector, type GapDetectorOptions } from './pipelines/gap-detector.js';
export { DimensionAssessor, type DimensionAssessorOptions } from './pipelines/reviewer-stage/dimension-assessor.js';
export { ReviewerStage, type Stage } from './pipelines/reviewer-stage/reviewer-stage.js';
export type { NamedDimension, StageDimension } from './pipelines/reviewer-stage/stage-dimension.js';
export type { StageFeedback } from './pipelines/reviewer-stage/stage-feedback.js';
export { type Count, type StageMetrics, stageMetrics } from './pipelines/reviewer-stage/stage-metrics.js';
export type { ReplanContext, ReviewerStageOptions } from './pipelines/reviewer-stage/stage-options.js';
export type { StageDecision, StageOutcome } from './pipelines/reviewer-stage/stage-outcome.js';
export type { StageErrorCode, StageResult } from './pipelines/reviewer-stage/stage-result.js';
export { type Clean, cycleLines, humanReviewLines, levelName, overrideLines, reviewLines, summaryLines } from './pipelines/reviewer-stage/stage-text.js';
export { type StageSummary, StageSummarySchema, type SummaryFacts, SummaryGenerator } from './pipelines/reviewer-stage/summary-generator.js';
export type { BatchOptions, BatchResult } from './pipelines/run-all.js';
export {
  type AddressGaps,
  type ExecuteOptions,
  type ProduceOutput,
  type SelfReviewExecution,
  SelfReviewLoop,
  type SelfReviewPorts,
  type SelfReviewRun,
  selfReviewPolicy,
} from './pipelines/self-review-loop.js';
export type { RoleReview } from './pipelines/task-review/ask-role.js';
export { buildReviewPrompt, type ReviewPromptConfig, type ReviewPromptContext } from './pipelines/task-review/build-review-prompt.js';
export type { CodeReviewConfig, CodeReviewContext } from './pipelines/task-review/code-review-config.js';
export { formatReviewFindings, gateTexts } from './pipelines/task-review/gate-texts.js';
export { type MarkedVerdict, readMarkers } from './pipelines/task-review/markers.js';
export { inOrder, type ParsedTask, parseTasks } from './pipelines/task-review/parse-tasks.js';
export { type PostDoneOptions, postDoneHook } from './pipelines/task-review/post-done-hook.js';
export { type ReviewIssue, ReviewIssueSchema } from './pipelines/task-review/review-answer.js';
export { type CodeReview, reviewCode, runCodeReview } from './pipelines/task-review/review-code.js';
export { type ReviewRole, reviewRoles, type VerdictFormat } from './pipelines/task-review/review-templates.js';
export { type AskedVerdict, aggregateVerdicts, ReviewVerdict } from './pipelines/task-review/review-verdict.js';
export { type ReviewTask, ReviewTaskSchema } from './pipelines/task-review/task.js';
export { type TaskChange, TaskChangeSchema } from './pipelines/task-review/task-change.js';
export type { TaskCheck } from './pipelines/task-review/task-checks.js';
export type { ReviewPolicy } from './pipelines/task-review/task-policy.js';
export { isPermanent, type TaskErrorCode, type TaskResult } from './pipelines/task-review/task-result.js';
export { TaskReview } from './pipelines/task-review/task-review.js';
export type { ExecuteContext, TaskReviewOptions } from './pipelines/task-review/task-review-options.js';
export { taskStatusLine } from './pipelines/task-review/task-status.js';
export { type TaskWork, TaskWorkSchema } from './pipelines/task-review/task-work.js';
export { allPass } from './policies/all-pass.js';
export { askDisputed } from './policies/ask-disputed.js';
export { type RepairLedger, repairLedger } from './policies/attempts.js';
export { type DoNoHarmOptions, doNoHarm } from './policies/do-no-harm.js';
export { type EscalateOptions, escalateOver } from './policies/escalate-over.js';
export { firstOf } from './policies/first-of.js';
export { holdProtected } from './policies/hold-protected.js';
export { levelAtLeast } from './policies/level-at-least.js';
export { type NoProgressOptions, noProgress } from './policies/no-progress.js';
export { type PreferredOptions, preferred } from './policies/preferred.js';
export { bestOf, type ResampleOptions, refineOrResample } from './policies/sampling.js';
export { type SeverityByIterationOptions, severityByIteration } from './policies/severity-by-iteration.js';
export { type ThresholdOptions, thresholds } from './policies/thresholds.js';
export { type AttemptStore, attemptMemory, ReviewVerdictSchema, type TaskAttempt, TaskAttemptSchema } from './ports/attempt-store.js';
export type { AuditSink } from './ports/audit-sink.js';
export type { ChecklistStore } from './ports/checklist-store.js';
export { type Clock, systemClock } from './ports/clock.js';
export type { Diff, DiffFile, DiffHunk, DiffRequest, DiffSource, DiffStatus } from './ports/diff-source.js';
export type { FileSource } from './ports/file-source.js';
export type { HumanGate, HumanTexts } from './ports/human-gate.js';
export type { LearnableRun, LessonStore, ReadableLessonStore } from './ports/lesson-store.js';
export { type Limiter, type LimiterOptions, limiter } from './ports/limiter.js';
export type { Logger } from './ports/logger.js';
export { type Random, systemRandom } from './ports/random.js';
export { type RateLimit, type RateLimitOptions, type RatePass, rateLimit } from './ports/rate-limit.js';
export { type Journal, type JournalRecord, JournalRecordSchema, type RunRecord, type Store } from './ports/store.js';
export { estimatedTokens, type TokenCounter } from './ports/token-counter.js';
export { type Verdict, type VerdictAbout, VerdictAboutSchema, VerdictSchema, type VerdictStore, verdictKey } from './ports/verdict-store.js';
export type { Workspace, WorkspaceClaim } from './ports/workspace.js';
export { buildGapAddressingPrompt } from './prompts/address-prompt.js';
export { type Fenced, fence, readFences } from './prompts/fence.js';
export type { Section } from './prompts/sections.js';
export { type Cassette, type CassetteEntry, CassetteEntrySchema, memoryCassette, record, replay } from './providers/middleware/cassette.js';
export { type ModelBudget, type ModelBudgetOptions, type ModelReservation, modelBudget } from './providers/middleware/model-budget.js';
export { type ModelPrices, type WithBudgetOptions, withBudget } from './providers/middleware/with-budget.js';
export { type AnswerCache, type CacheOptions, memoryAnswers, withCache } from './providers/middleware/with-cache.js';
export { withFallback } from './providers/middleware/with-fallback.js';
export { type ExpectedOptions, withRateLimit } from './providers/middleware/with-rate-limit.js';
export { type RetryOptions, withRetry } from './providers/middleware/with-retry.js';
export { withTimeout } from './providers/middleware/with-timeout.js';
export { redactJsonAsync } from './redact/redact-json-async.js';
export { redactSecretsAsync } from './redact/redact-with-secretlint.js';
export { type EvidenceFinder, type EvidenceOptions, evidenceFinder, type RequirementEvidence } from './requirements/evidence.js';
export { explicitRequirements } from './requirements/explicit-requirements.js';
export { type MatchOptions, type MatchSource, matchRequirement, type RequirementMatch } from './requirements/match.js';
export { type ModelRequirementsOptions, modelRequirements } from './requirements/model-requirements.js';
export { type Requirement, RequirementSchema, type RequirementStrength } from './requirements/requirement.js';
export { RequirementExtractor, type RequirementExtractorOptions } from './requirements/requirement-extractor.js';
export { combineStrategies, type RequirementStrategy, type StrategyContext } from './requirements/strategy.js';
export { type TraceabilityMatrix, type TraceabilityRow, traceabilityMatrix } from './requirements/traceability.js';
export { type ConfirmOptions, confirm } from './reviewers/confirm.js';
export { type CriteriaEntry, type CriteriaMap, type Criterion, criterion, fromScorer, type ScorerResult } from './reviewers/criterion.js';
export type { Surroundings } from './reviewers/criterion-context.js';
export { ChecklistDimension, type DimensionQuestion, type DimensionSettings } from './reviewers/dimensions/checklist-dimension.js';
export { CodeQualityDimension } from './reviewers/dimensions/code-quality.js';
export { CompletenessDimension } from './reviewers/dimensions/completeness.js';
export { ConsistencyDimension } from './reviewers/dimensions/consistency.js';
export { defaultDimensions } from './reviewers/dimensions/default-dimensions.js';
export { type DimensionOptions, dimension } from './reviewers/dimensions/dimension.js';
export { IntentAlignmentDimension } from './reviewers/dimensions/intent-alignment.js';
export { SafetyDimension } from './reviewers/dimensions/safety.js';
export { type DimensionBar, fromDimension } from './reviewers/from-dimension.js';
export type { JudgeOptions } from './reviewers/judge.js';
export { type LlmCriteriaOptions, llmCriteria } from './reviewers/llm-criteria.js';
export { llmCriterion } from './reviewers/llm-criterion.js';
export type { LlmCriterionOptions } from './reviewers/llm-criterion-options.js';
export { type CoverageModel, type ModelCoverageOptions, modelCoverage } from './reviewers/model-coverage.js';
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
export { QualityScorer } from './scoring/quality-scorer.js';
export { checklistMemory } from './stores/checklist-memory.js';
export { lessonMemory } from './stores/lesson-memory.js';
export { memoryStore } from './stores/memory-store.js';
export { type VerdictMemoryOptions, verdictMemory } from './stores/verdict-memory.js';
