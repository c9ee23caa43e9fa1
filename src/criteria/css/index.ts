/**
 * Criteria for stylesheets.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { type CssOptions, cssCriteria } from './css-criteria.js';
