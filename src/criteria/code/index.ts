/**
 * Criteria for source code and data.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { type CodeOptions, codeCriteria } from './code-criteria.js';
