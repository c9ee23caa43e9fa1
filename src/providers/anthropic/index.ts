/**
 * A provider for the `@anthropic-ai/sdk` package.
 *
 * @module
 */
export type { HttpOptions } from '../shared/http-options.js';
export type { AnthropicClient } from './anthropic-client.js';
export { type AnthropicOptions, anthropicProvider } from './anthropic-provider.js';
