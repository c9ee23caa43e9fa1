/**
 * A provider for the `@anthropic-ai/sdk` package.
 *
 * @module
 */

export { anthropicProvider } from './anthropic-provider.js';
