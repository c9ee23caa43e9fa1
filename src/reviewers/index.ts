/**
 * The option types of reviewers and judges.
 *
 * @module
 */

export type {
  Comparison,
  ErroredAssessment,
  FailedAssessment,
  PassedAssessment,
  SkippedAssessment,
  UndecidedAssessment,
  Votes,
} from '../core/assessment.js';
export type {
  DecideRequirement,
  RequirementDecider,
  RequirementDecision,
  ScopedOptions,
  UnscopedOptions,
} from '../core/criterion.js';
export type { GapOptions } from '../core/gap.js';
export type { Grade } from '../core/grade.js';
export type { AsksModel, BestVersion, Grading } from '../core/reviewer.js';
export type { ConfirmOptions } from './confirm.js';
export type { CriteriaEntry } from './criterion.js';
export type { JudgeOptions } from './judge.js';
export type { LlmCriteriaOptions } from './llm-criteria.js';
export type { GradeOptions } from './llm-criterion-options.js';
export type { PairwiseOptions } from './pairwise.js';
export type { PanelOptions } from './panel-options.js';
export type { VerifiedOptions } from './verified.js';
