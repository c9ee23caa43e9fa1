/**
 * Drives runs on many machines, with DBOS, Restate or an engine of your own.
 *
 * @module
 */

export { clientOver, createRun, type EngineClient } from './client.js';
export { dbosClient } from './dbos/dbos-client.js';
export { type DbosWorker, serveWithDbos } from './dbos/serve-with-dbos.js';
export { cancelRun, type Drive, type Driven, driveRun } from './drive-run.js';
export { recordAnswer } from './record-answer.js';
export {
  type MadeHandler,
  type RestateClient,
  type RestateHandler,
  restateClient,
} from './restate/restate-client.js';
export { restateServices } from './restate/restate-services.js';
export { lostRuns, pauseBefore, type SharedStore, type WakeUp } from './wake.js';
