/**
 * Commands as judges: tests, linters, type checks.
 *
 * @module
 */
export type { Criterion } from '../criterion.js';
export { command } from './command.js';
export type { CommandFormat, CommandOptions, CommandOutput } from './command-options.js';
export { cspell } from './cspell.js';
export { eslint } from './eslint.js';
export type { ToolOptions } from './tool-preset.js';
