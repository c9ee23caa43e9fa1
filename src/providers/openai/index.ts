/**
 * A provider over the `openai` package, for OpenAI and every server that speaks its protocol.
 *
 * @module
 */
export type { HttpOptions } from '../shared/http-options.js';
export type { OpenAIClient, OpenAIEndpoint, OpenAIOptions } from './openai-options.js';
export { openaiProvider } from './openai-provider.js';
