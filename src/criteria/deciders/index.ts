/**
 * Checks that decide requirements of a task without a model.
 *
 * @module
 */
export type {
  DecideRequirement,
  RequirementDecider,
  RequirementDecision,
} from '../../core/criterion.js';
export { requirementDeciders } from './requirement-deciders.js';
