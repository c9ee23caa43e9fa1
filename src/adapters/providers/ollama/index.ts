/**
 * A provider for an Ollama server.
 *
 * @module
 */

export { ollamaProvider } from './ollama-provider.js';
