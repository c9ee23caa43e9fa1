/**
 * A provider from a language model of the Vercel AI SDK, which this module does not import.
 *
 * @module
 */
export { type AiSdkModel, type AiSdkOptions, aiSdkProvider } from './ai-sdk-provider.js';
