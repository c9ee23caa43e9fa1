/**
 * Criteria for source code, data and changes of them.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { type HonestWorkOptions, honestWork } from '../diff/honest-work.js';
export { type CodeOptions, codeCriteria } from './code-criteria.js';
