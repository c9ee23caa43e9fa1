/**
 * Criteria for dangerous JavaScript and TypeScript, by ESLint.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export { type CodeLintOptions, codeLintCriteria } from './code-lint-criteria.js';
