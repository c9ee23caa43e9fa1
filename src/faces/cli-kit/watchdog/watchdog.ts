import { Worker } from 'node:worker_threads';
import { decorate, deriveContext } from '../../../core/decorate-reviewer.js';
import type { ReviewerContext } from '../../../core/reviewer.js';
import { systemCode } from '../../../node/durable.js';
import { clearBlock, movesCursor, showCursor } from '../../../node/terminal/colours.js';
import type { FileReviewer } from '../inputs/read-inputs.js';
import type { Io } from '../io.js';
import type { WatchdogMessage, WatchdogSettings } from './watchdog-worker.js';

export interface Watchdog {
  readonly send: (message: WatchdogMessage) => void;
  readonly stop: () => Promise<void>;
}

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

export const noWatchdog: Watchdog = { send: () => {}, stop: async () => {} };

export interface CallWatch {
  readonly begin: (reviewer: string) => void;
  readonly end: (reviewer: string) => void;
}

/** It reports its calls, so that the watchdog can name a call that blocks. */
export function watchedReviewer(reviewer: FileReviewer, watch: CallWatch): FileReviewer {
  return decorate(reviewer, {
    tag: undefined,
    context: (context) => watchedContext(context, reviewer.id, watch),
    reply: async ({ answer }) => {
      try {
        return await answer();
      } finally {
        watch.end(reviewer.id);
      }
    },
  });
}

function watchedContext(
  context: ReviewerContext,
  reviewer: string,
  watch: CallWatch,
): ReviewerContext {
  const watched =
    <Call, Result>(work: (call: Call) => Result) =>
    (call: Call): Result => {
      watch.begin(reviewer);
      return work(call);
    };
  return deriveContext(context, {
    step: (name, options, work) => context.step(name, options, watched(work)),
    check: (schema, work, name) => context.check(schema, watched(work), name),
  });
}

/**
 * For a process that is ended from outside: the live block is erased and the cursor is shown. ''
 * where no cursor is moved.
 */
export function restoreText({ live, errColumns }: Pick<Io, 'live' | 'errColumns'>): string {
  const isBlock = live !== undefined && errColumns !== undefined && movesCursor(process.stderr);
  return isBlock ? `${clearBlock}${showCursor}` : '';
}
