/**
 * The rules of axe-core over HTML artifacts. It needs the packages `axe-core` and `jsdom`.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { type AxeOptions, axeCriterion } from './axe-criterion.js';
