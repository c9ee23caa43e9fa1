/**
 * A provider for the `@anthropic-ai/sdk` package.
 *
 * @module
 */
export type { HttpOptions } from '../shared/http-options.js';
export {
  type AnthropicClient,
  type AnthropicOptions,
  anthropicProvider,
} from './anthropic-provider.js';
