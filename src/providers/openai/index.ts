/**
 * A provider for the `openai` package: OpenAI and every compatible server.
 *
 * @module
 */
export type { HttpOptions } from '../shared/http-options.js';
export type { OpenAIClient, OpenAIEndpoint, OpenAIOptions } from './openai-options.js';
export { openaiProvider } from './openai-provider.js';
