/**
 * Criteria for HTML, stylesheets, plans, texts, source code and data, and checks that decide
 * requirements. Each loads its parsers when it is used.
 *
 * @module
 */

export type { RequirementDecider } from '../../core/criterion.js';
export type { ArtifactCriterion } from './artifact-criterion.js';
export { codeCriteria } from './code/code-criteria.js';
export { cssCriteria } from './css/css-criteria.js';
export { requirementDeciders } from './deciders/requirement-deciders.js';
export { type HonestWorkOptions, honestWork } from './diff/honest-work.js';
export { htmlCriteria } from './html/html-criteria.js';
export { planCriteria } from './plan/plan-criteria.js';
export type { PlanOptions } from './plan/plan-rules.js';
export { textCriteria } from './text/text-criteria.js';
