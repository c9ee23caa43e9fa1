/**
 * A provider over any language model of the Vercel AI SDK, without importing it.
 *
 * @module
 */
export { type AiSdkModel, type AiSdkOptions, aiSdkProvider } from './ai-sdk-provider.js';
