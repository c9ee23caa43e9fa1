/**
 * Criteria for plans.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { planCriteria } from './plan-criteria.js';
export type { PlanOptions } from './plan-rules.js';
