/**
 * Agents that review their own output: criteria, options of a run, and `mergeImprovements`.
 *
 * @module
 */

export { buildGapAddressingPrompt } from '../../blocks/address/address-prompt.js';
export { artifactsOf } from '../../core/artifact.js';
export type { GivenCriteria } from './agent-reviewers.js';
export { mergeImprovements } from './base-agent.js';
export { type PartialSelfReviewConfig, selfReviewConfig } from './config.js';
export { ProjectManagerReviewCriteria } from './criteria/project-manager.js';
export { UIDesignerReviewCriteria } from './criteria/ui-designer.js';
export type { Detection } from './gap-detector.js';
export type { ReviewContext } from './review-criterion.js';
export { selfReviewPolicy } from './self-review-loop.js';
export type {
  AddressGaps,
  ExecuteOptions,
  ProduceOutput,
  SelfReviewExecution,
  SelfReviewPorts,
  SelfReviewRun,
} from './self-review-options.js';
export type { ReviewDecision } from './self-review-result.js';
