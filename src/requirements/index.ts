/**
 * Functions that read requirements from tasks and search for them in outputs.
 *
 * @module
 */

export { type CoverageEvidence, type CoverageState, coverageState } from '../core/coverage.js';
export type {
  CoverageJudge,
  RequirementCoverageOptions,
  RequirementSource,
} from '../reviewers/coverage-options.js';
export {
  type CoverageModel,
  type ModelCoverageOptions,
  modelCoverage,
} from '../reviewers/model-coverage.js';
export {
  type EvidenceFinder,
  type EvidenceOptions,
  evidenceFinder,
  type RequirementEvidence,
} from './evidence.js';
export { explicitRequirements } from './explicit-requirements.js';
export { fileRequirements } from './file-requirements.js';
export {
  type MatchOptions,
  type MatchSource,
  matchRequirement,
  type RequirementMatch,
} from './match.js';
export { type ModelRequirementsOptions, modelRequirements } from './model-requirements.js';
export type { Requirement, RequirementStrength } from './requirement.js';
export { RequirementExtractor, type RequirementExtractorOptions } from './requirement-extractor.js';
export { combineStrategies, type RequirementStrategy, type StrategyContext } from './strategy.js';
export type { TaskSource } from './task-text.js';
export {
  type TraceabilityMatrix,
  type TraceabilityRow,
  traceabilityMatrix,
} from './traceability.js';
