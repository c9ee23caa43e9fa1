/**
 * Counts tokens exactly for models of OpenAI.
 *
 * @module
 */
export { type GptTokensOptions, gptTokens } from './gpt-tokens.js';
