/**
 * Criteria over pages as Chromium shows them. They need the packages `playwright-core` and
 * `axe-core`, and a Chromium.
 *
 * @module
 */

export type { ArtifactCriterion } from '../artifact-criterion.js';
export { closeIdleBrowsers } from './browser/chromium.js';
export { pageCriteria } from './page-criteria.js';
