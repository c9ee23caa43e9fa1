/**
 * A stage that reviews completed work by dimensions, with levels, overrides and a summary.
 *
 * @module
 */

export { type CompletedWork, CompletedWorkSchema } from './completed-work.js';
export type {
  AssessContext,
  Dimension,
  DimensionIssue,
  DimensionResult,
  ReviewDepth,
} from './dimension.js';
export { DimensionAssessor } from './dimension-assessor.js';
export { ChecklistDimension, type DimensionQuestion } from './dimensions/checklist-dimension.js';
export {
  CodeQualityDimension,
  CompletenessDimension,
  ConsistencyDimension,
  defaultDimensions,
  IntentAlignmentDimension,
  SafetyDimension,
} from './dimensions/default-dimensions.js';
export { dimension } from './dimensions/dimension-reviewer.js';
export { fromDimension } from './from-dimension.js';
export { levelAtLeast, levelOfScore, type QualityLevel } from './quality-level.js';
export { type OrchestratorStage, ReviewerStage } from './reviewer-stage.js';
export type { StageDimension } from './stage-dimension.js';
export type { StageFeedback } from './stage-feedback.js';
export { type StageMetrics, stageMetrics } from './stage-metrics.js';
export type { ReplanContext, ReviewerStageOptions } from './stage-options.js';
export type { StageResult } from './stage-result.js';
export { cycleLines, reviewLines, summaryLines } from './stage-text.js';
export {
  type StageDecision,
  type StageOutcome,
  type StageSummary,
  type SummaryFacts,
  SummaryGenerator,
} from './summary-generator.js';
export { workFromDiff } from './work-from-diff.js';
