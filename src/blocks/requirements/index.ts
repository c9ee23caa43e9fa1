/**
 * Functions that read requirements from tasks and search for them in outputs.
 *
 * @module
 */

export type { CoverageEvidence, CoverageState } from '../../core/coverage.js';
export type {
  CoverageJudge,
  RequirementCoverageOptions,
} from '../reviewers/covered-requirement.js';
export { type CoverageModel, modelCoverage } from '../reviewers/model-coverage.js';
export { type EvidenceFinder, evidenceFinder } from './evidence.js';
export { explicitRequirements } from './explicit-requirements.js';
export { type MatchSource, matchRequirement, type RequirementMatch } from './match.js';
export { modelRequirements } from './model-requirements.js';
export type { Requirement } from './requirement.js';
export { RequirementExtractor } from './requirement-extractor.js';
export { fileRequirements } from './requirements-file.js';
export { combineStrategies, type RequirementStrategy, type StrategyContext } from './strategy.js';
export { type TraceabilityMatrix, traceabilityMatrix } from './traceability.js';
