/**
 * Every error code, with its meaning and its fix.
 *
 * @module
 */

export { errorCodes } from './core/error-codes.js';
export type { ReviewErrorOptions } from './core/errors.js';
