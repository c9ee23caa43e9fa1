/**
 * A provider over a server of Ollama.
 *
 * @module
 */
export type { HttpOptions } from '../shared/http-options.js';
export { type OllamaOptions, ollamaProvider } from './ollama-provider.js';
