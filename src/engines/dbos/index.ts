/**
 * Drives runs with DBOS.
 *
 * @module
 */

export type { EngineClient } from '../client.js';
export type { SweepOptions } from '../sweep.js';
export type { SharedStore } from '../wake.js';
export type {
  DbosApi,
  DbosClientApi,
  DbosEnqueue,
  DbosLimits,
  DbosQuery,
  DbosStatus,
} from './dbos-api.js';
export { type DbosClientOptions, dbosClient } from './dbos-client.js';
export { type DbosWorker, type DbosWorkerOptions, serveWithDbos } from './serve-with-dbos.js';
