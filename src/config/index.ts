/**
 * The configuration file of the command line.
 *
 * @module
 */

export type { AllowedSecret } from '../redact/allowed-secrets.js';
export type { Config } from './config.js';
export { defineConfig } from './define-config.js';
