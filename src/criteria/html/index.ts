/**
 * Criteria for HTML artifacts.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export type { KnownFiles } from '../files/known-files.js';
export { htmlCriteria } from './html-criteria.js';
export type { HtmlOptions } from './rule.js';
