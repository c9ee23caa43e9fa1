/**
 * Checks that decide requirements of a task without a model.
 *
 * @module
 */
export { requirementDeciders } from './requirement-deciders.js';
