/**
 * Drives runs on many machines: what every engine calls, and what any process may do with a run.
 *
 * @module
 */

export { type CancelOptions, cancelRun } from './cancel-run.js';
export { clientOver, type EngineClient } from './client.js';
export { createRun, type NewRun } from './create-run.js';
export {
  type Drive,
  type Driven,
  type DrivenPipeline,
  type DriveOnce,
  type DriveOptions,
  driveRun,
} from './drive-run.js';
export { type RecordOptions, recordAnswer } from './record-answer.js';
export { lostRuns, pauseBefore, type SharedStore, type WakeUp } from './wake.js';
