/**
 * A provider for an Ollama server.
 *
 * @module
 */
export type { HttpOptions } from '../shared/http-options.js';
export { type OllamaOptions, ollamaProvider } from './ollama-provider.js';
