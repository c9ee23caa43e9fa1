import { Worker } from 'node:worker_threads';
import type { WatchdogMessage, WatchdogSettings } from './watchdog-protocol.js';

/** A worker that notices if this thread is stuck. */
export interface Watchdog {
  readonly send: (message: WatchdogMessage) => void;
  readonly stop: () => Promise<void>;
}

/** Starts a watchdog: a worker that runs the entry file of the program. */
export function startWatchdog(entry: URL, settings: WatchdogSettings): Watchdog {
  const worker = new Worker(entry, {
    workerData: settings,
    stdout: false,
    stderr: false,
    execArgv: process.execArgv,
  });
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

/** A watchdog that does nothing. */
export const noWatchdog: Watchdog = { send: () => {}, stop: async () => {} };
