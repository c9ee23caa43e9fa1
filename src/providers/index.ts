/**
 * Providers by their names.
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
