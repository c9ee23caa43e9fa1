/**
 * The configuration file of the command line.
 *
 * @module
 */

export type { Config } from './config.js';
export { defineConfig } from './define-config.js';
