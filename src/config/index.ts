/**
 * The configuration file of the command line.
 *
 * @module
 */

export type { AllowedSecret } from '../redact/allowed-secrets.js';
export type { ConfiguredReviewer } from '../reviewer-stage/config.js';
export type { ConfiguredExecutor } from '../task-review/config.js';
export type {
  Config,
  ConfiguredAddressContext,
  ConfiguredBudget,
  ConfiguredCriteria,
  CriteriaName,
} from './config.js';
export { defineConfig } from './define-config.js';
export type { ConfiguredHook } from './hook-config.js';
export type { ConfiguredLearning } from './learning-config.js';
export type { ConfiguredLimits } from './limits-config.js';
export type { ConfiguredPages } from './pages-config.js';
export type { ConfiguredSecrets } from './secrets-config.js';
export type { ConfiguredTool } from './tool-config.js';
