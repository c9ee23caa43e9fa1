import { mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { coreErrors } from '../../../core/core-errors.js';
import { messageOf } from '../../../core/errors.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import {
  blockedMessage,
  type WatchdogMessage,
  type WatchdogSettings,
  WatchdogState,
} from './watchdog-state.js';

/** Runs in a worker, and ends the process if the main thread is silent for too long. */
export function watch(): void {
  const { timeoutMs, restore = '' } = workerData as WatchdogSettings;
  const state = new WatchdogState();
  parentPort?.on('message', (message: WatchdogMessage) => state.take(message));
  const tickMs = Math.max(10, Math.min(500, timeoutMs / 10));
  const timer = setInterval(() => {
    if (state.wait(tickMs) < timeoutMs) return;
    clearInterval(timer);
    report(state, timeoutMs, restore);
    endProcess();
  }, tickMs);
}

function report(state: WatchdogState, timeoutMs: number, restore: string): void {
  const what = blockedMessage(state.blocking, timeoutMs);
  const lines = [`error: ${oneLine(what)}.`, `  ${coreErrors.event_loop_blocked.fix}`];
  const run = state.report(what);
  if (state.file !== undefined && run !== undefined) lines.push(`  ${saved(state.file, run)}`);
  try {
    writeSync(2, `${restore}\n${lines.join('\n')}\n`);
  } catch {
    // the standard error is closed
  }
}

function saved(file: string, run: unknown): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // a new file: it must not be a link that somebody else put there
    rmSync(file, { force: true });
    writeFileSync(file, `${JSON.stringify(redactJson(run), null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    return `Results so far are in ${file}`;
  } catch (error) {
    return `Results so far could not be stored: ${messageOf(error)}`;
  }
}

/** Closes the standard error first. Otherwise Node would print that it waits for a debugger. */
const endQuietly =
  "try { process.getBuiltinModule('node:fs').closeSync(2); } finally { process.reallyExit(1); }";

/** Uses the inspector, which also works while JavaScript blocks; otherwise kills it. */
function endProcess(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000);
  try {
    const session = new Session();
    session.connectToMainThread();
    session.post('Runtime.evaluate', { expression: endQuietly });
  } catch {
    // without an inspector the timer above ends the process
  }
}
