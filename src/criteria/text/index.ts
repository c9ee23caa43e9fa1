/**
 * Criteria for texts that people read.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { type TextOptions, textCriteria } from './text-criteria.js';
