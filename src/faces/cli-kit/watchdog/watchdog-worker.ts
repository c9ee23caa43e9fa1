import { mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { coreErrors } from '../../../core/core-errors.js';
import { messageOf } from '../../../core/errors.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { ReviewReport, RunReport } from '../../reports/run-report.js';

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

export class WatchdogState {
  readonly #calls = new Map<string, BlockingCall>();
  readonly #reviews: ReviewReport[] = [];
  #assessments: ReviewReport['assessments'] = [];
  #gaps: ReviewReport['gaps'] = [];
  #run: Extract<WatchdogMessage, { kind: 'run' }> | undefined;
  #silentMs = 0;

  /** Where to store the run; `undefined` before it starts. */
  get file(): string | undefined {
    return this.#run?.file;
  }

  get blocking(): BlockingCall | undefined {
    return [...this.#calls.values()].at(-1);
  }

  take(message: WatchdogMessage): void {
    this.#silentMs = 0;
    switch (message.kind) {
      case 'alive':
        return;
      case 'begin':
        this.#calls.delete(keyOf(message.call));
        this.#calls.set(keyOf(message.call), message.call);
        return;
      case 'end':
        this.#calls.delete(keyOf(message.call));
        return;
      case 'answer':
        this.#assessments.push(...message.assessments);
        this.#gaps.push(...message.gaps);
        return;
      case 'review':
        this.#reviews.push(message.review);
        this.#assessments = [];
        this.#gaps = [];
        return;
      case 'run':
        this.#run = message;
        return;
    }
  }

  /**
   * Adds to the silence of the main thread and returns it, in milliseconds. Steps instead of a
   * clock ignore the sleep of the machine.
   */
  wait(ms: number): number {
    this.#silentMs += ms;
    return this.#silentMs;
  }

  report(reason: string): RunReport | undefined {
    if (this.#run === undefined) return undefined;
    const last = this.#reviews.at(-1);
    const failures = [...this.#assessments.filter(({ verdict }) => verdict === 'errored')];
    if (this.blocking?.of === 'criterion')
      failures.push({
        criterion: this.blocking.id,
        verdict: 'errored',
        text: reason,
        code: 'event_loop_blocked',
      });
    return {
      ...(this.#run.report as Omit<RunReport, 'status'>),
      status: 'failed',
      approved: false,
      code: 'event_loop_blocked',
      reason,
      exitCode: 1,
      ...(last !== undefined && { scores: last.scores }),
      gaps: this.#gaps.length > 0 ? this.#gaps : (last?.gaps ?? []),
      failures,
      undecided: last?.assessments.filter(({ verdict }) => verdict === 'undecided') ?? [],
      partial: this.#assessments,
      reviews: this.#reviews,
    };
  }
}

export function blockedMessage(call: BlockingCall | undefined, timeoutMs: number): string {
  const who =
    call === undefined
      ? 'something'
      : call.of === 'criterion'
        ? `the criterion ${call.id}`
        : 'the configuration';
  return `${who} blocked the event loop for more than ${timeoutMs} ms`;
}

function keyOf(call: BlockingCall): string {
  return call.of === 'criterion' ? `criterion ${call.id}` : 'configuration';
}

export interface WatchdogSettings {
  /** How long the main thread may be silent, in milliseconds. */
  readonly timeoutMs: number;
  /** What gives the terminal back if the process is ended. @default '' nothing changed it */
  readonly restore?: string | undefined;
}

/** A call of the user's code: of a criterion by its id, or of the configuration file. */
type BlockingCall =
  | { readonly of: 'criterion'; readonly id: string }
  | { readonly of: 'configuration' };

export type WatchdogMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'begin'; readonly call: BlockingCall }
  | { readonly kind: 'end'; readonly call: BlockingCall }
  | {
      readonly kind: 'answer';
      readonly assessments: ReviewReport['assessments'];
      readonly gaps: ReviewReport['gaps'];
    }
  | { readonly kind: 'review'; readonly review: ReviewReport }
  /** Where to store the run, and its report before it starts. */
  | {
      readonly kind: 'run';
      readonly file: string;
      readonly report: Readonly<Record<string, unknown>>;
    };
