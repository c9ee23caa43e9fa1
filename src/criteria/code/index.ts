/**
 * Criteria for source code and data.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { codeCriteria } from './code-criteria.js';
