import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { coreErrors } from '../../core/core-errors.js';
import { messageOf } from '../../core/errors.js';
import { redactJson } from '../../redact/redact-json.js';
import { oneLine } from '../../terminal/sanitise.js';
import type { WatchdogMessage, WatchdogSettings } from './watchdog-protocol.js';
import { blockedMessage, WatchdogState } from './watchdog-state.js';

/** Watches the main thread from a worker; ends the process when it has been silent for too long. */
export function watch(): void {
  const { timeoutMs } = workerData as WatchdogSettings;
  const state = new WatchdogState();
  parentPort?.on('message', (message: WatchdogMessage) => state.take(message));
  const tickMs = Math.max(10, Math.min(500, timeoutMs / 10));
  const timer = setInterval(() => {
    if (state.wait(tickMs) < timeoutMs) return;
    clearInterval(timer);
    tell(state, timeoutMs);
    endProcess();
  }, tickMs);
}

function tell(state: WatchdogState, timeoutMs: number): void {
  const what = blockedMessage(state.blocking, timeoutMs);
  const lines = [`error: ${oneLine(what)}.`, `  ${coreErrors.event_loop_blocked.fix}`];
  const report = state.report(what);
  if (state.file !== undefined && report !== undefined) lines.push(`  ${keep(state.file, report)}`);
  try {
    writeSync(2, `\n${lines.join('\n')}\n`);
  } catch {
    // nobody reads it
  }
}

function keep(file: string, report: unknown): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(redactJson(report), null, 2)}\n`);
    return `What was assessed before is in ${file}`;
  } catch (error) {
    return `What was assessed before could not be kept: ${messageOf(error)}`;
  }
}

/** Closes the standard error first, on which Node would say that it waits for a debugger. */
const endQuietly =
  "try { process.getBuiltinModule('node:fs').closeSync(2); } finally { process.reallyExit(1); }";

/** A thread that is stuck in JavaScript still serves its inspector; one that is stuck elsewhere is killed. */
function endProcess(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000);
  try {
    const session = new Session();
    session.connectToMainThread();
    session.post('Runtime.evaluate', { expression: endQuietly });
  } catch {
    // there is no inspector to reach it by
  }
}
