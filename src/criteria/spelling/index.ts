/**
 * A criterion for misspelt words in texts that people read, by the dictionaries of CSpell.
 *
 * @module
 */
export type { ArtifactCriterion } from '../artifact-criterion.js';
export type { SpellingLanguage } from './speller.js';
export { type SpellingOptions, spellingCriteria } from './spelling-criteria.js';
