/**
 * A provider for the `openai` package: OpenAI and every compatible server.
 *
 * @module
 */

export { openaiProvider } from './openai-provider.js';
