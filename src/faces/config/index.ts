/**
 * The configuration file of the command line.
 *
 * @module
 */

export type { AllowedSecret } from '../../core/redact/allowed-secrets.js';
export { type Config, defineConfig } from './config.js';
