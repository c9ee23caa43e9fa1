/**
 * Creates providers by name.
 *
 * @module
 */
export {
  type FindProviderOptions,
  type FoundProvider,
  findProvider,
  keyVariables,
  type ProviderFromOptions,
  providerFrom,
} from './provider-from.js';
