import { Worker } from 'node:worker_threads';
import { systemCode } from '../../node/durable.js';
import type { WatchdogMessage, WatchdogSettings } from './watchdog-protocol.js';

/** A worker that notices if this thread is stuck. */
export interface Watchdog {
  readonly send: (message: WatchdogMessage) => void;
  readonly stop: () => Promise<void>;
}

/** Starts a watchdog: a worker that runs the entry file of the program. */
export function startWatchdog(entry: URL, settings: WatchdogSettings): Watchdog {
  const worker = startWorker(entry, settings);
  worker.unref();
  worker.on('error', () => {});
  const alive: WatchdogMessage = { kind: 'alive' };
  const beat = setInterval(
    () => worker.postMessage(alive),
    Math.max(5, Math.min(250, settings.timeoutMs / 20)),
  );
  beat.unref();
  return {
    send: (message) => worker.postMessage(message),
    stop: async () => {
      clearInterval(beat);
      await worker.terminate();
    },
  };
}

/** Starts a worker with the options of this process, such as a loader, if a worker accepts them. */
function startWorker(entry: URL, workerData: WatchdogSettings): Worker {
  const options = { workerData, stdout: false, stderr: false };
  try {
    return new Worker(entry, { ...options, execArgv: process.execArgv });
  } catch (error) {
    // options of the process, such as --max-old-space-size
    if (systemCode(error) !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error;
    return new Worker(entry, { ...options, execArgv: [] });
  }
}

/** A watchdog that does nothing. */
export const noWatchdog: Watchdog = { send: () => {}, stop: async () => {} };
