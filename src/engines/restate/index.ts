/**
 * Drives runs with Restate.
 *
 * @module
 */

export type { EngineClient } from '../client.js';
export type { SharedStore } from '../wake.js';
export type {
  MadeHandler,
  RestateApi,
  RestateContext,
  RestateHandler,
  RestateHandlerOptions,
  RestateSend,
  RestateSerde,
  RestateSharedContext,
  WakeInput,
} from './restate-api.js';
export { type RestateClient, type RestateClientOptions, restateClient } from './restate-client.js';
export { type RestateOptions, restateServices } from './restate-services.js';
