/**
 * A stage that reviews completed work by dimensions, with levels, overrides and a summary.
 *
 * @module
 */

export {
  type ChangedFile,
  ChangedFileSchema,
  ChangeKindSchema,
  type CompletedWork,
  CompletedWorkSchema,
  ExecutionResultSchema,
  VerificationResultSchema,
} from './completed-work.js';
export {
  type AssessContext,
  type DimensionIssue,
  DimensionIssueSchema,
  DimensionResultSchema,
  type ReviewDepth,
} from './dimension.js';
export type { DimensionAssessorOptions } from './dimension-assessor.js';
export type { DimensionQuestion, DimensionSettings } from './dimensions/checklist-dimension.js';
export { defaultDimensions } from './dimensions/default-dimensions.js';
export type { DimensionOptions } from './dimensions/dimension-reviewer.js';
export { type DimensionBar, fromDimension } from './from-dimension.js';
export type { SampleBounds } from './neighbour-samples.js';
export {
  levelAtLeast,
  levelOfScore,
  levelRank,
  type QualityLevel,
  QualityLevelSchema,
  scoreOfLevel,
} from './quality-level.js';
export { type OrchestratorStage, ReviewerStage } from './reviewer-stage.js';
export type { NamedDimension, StageDimension } from './stage-dimension.js';
export type { StageFeedback } from './stage-feedback.js';
export { type IssueCount, type StageMetrics, stageMetrics } from './stage-metrics.js';
export type { ReplanContext, ReviewerStageOptions } from './stage-options.js';
export type { StageDecision, StageErrorCode, StageOutcome } from './stage-outcome.js';
export type { StageResult } from './stage-result.js';
export {
  cycleLines,
  humanReviewLines,
  levelName,
  overrideLines,
  reviewLines,
  summaryLines,
  type TextCleaner,
} from './stage-text.js';
export {
  type StageSummary,
  StageSummarySchema,
  type SummaryFacts,
  SummaryGenerator,
} from './summary-generator.js';
export { type WorkFromDiffOptions, workFromDiff } from './work-from-diff.js';
