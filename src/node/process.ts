import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { onAbort } from '../core/abort-signal.js';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import { systemClock } from '../ports/clock.js';
import { collectOutput } from './collect-output.js';
import { nodeErrors } from './errors.js';
import { checkProcessOptions, type ProcessOptions, processEnvironment } from './process-options.js';

/** The result of a command. A non-zero exit code does not throw. */
export interface ProcessResult {
  /** `null` if a signal ended the command. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether bytes are missing in stdout or stderr. */
  readonly truncated: boolean;
  /** Milliseconds from start to exit. */
  readonly durationMs: number;
  /** Only true in the `value` of a `process_timeout` error. */
  readonly timedOut: boolean;
}

/**
 * Runs a command without a shell, in its own process group. On a timeout, on an abort and when the
 * command exits, the whole group receives SIGTERM, and SIGKILL after `killAfterMs`.
 *
 * @throws ReviewLoopError `invalid_options`, `process_not_found`; `process_failed` if the system
 *   refuses to start it; `process_timeout` and `cancelled`, whose `value` is the result so far
 * @example
 * ```ts
 * const { exitCode, stdout } = await runProcess({
 *   command: 'git',
 *   args: ['diff', '--stat'],
 *   timeoutMs: 10_000,
 * });
 * ```
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  checkProcessOptions(options);
  const { signal, timeoutMs } = options;
  if (signal?.aborted) throw cancelled(options, signal, undefined);
  const started = await start(options);
  const cancelTimeout = systemClock.after(timeoutMs, started.timeOut);
  const ignoreAbort = onAbort(signal, started.end);
  if (signal?.aborted) started.end();
  try {
    const result = await started.result;
    if (result.timedOut)
      throw new ReviewLoopError(
        nodeErrors.process_timeout,
        `${options.command} did not end within ${timeoutMs} ms (timeoutMs)`,
        { value: result, retryable: true },
      );
    if (signal?.aborted) throw cancelled(options, signal, result);
    return result;
  } finally {
    cancelTimeout();
    ignoreAbort();
  }
}

interface Started {
  readonly result: Promise<ProcessResult>;
  readonly timeOut: () => void;
  readonly end: () => void;
}

async function start(options: ProcessOptions): Promise<Started> {
  const {
    command,
    args = [],
    cwd,
    input,
    maxOutputBytes = 2 ** 20,
    killAfterMs = 2000,
    onOutput,
  } = options;
  const startedAt = systemClock.now();
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      cwd,
      env: processEnvironment(options),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    await once(child, 'spawn');
  } catch (error) {
    throw await startError(options, error);
  }
  const stdout = collectOutput(onOutput === undefined ? child.stdout : null, maxOutputBytes);
  if (onOutput !== undefined) child.stdout?.on('error', ignore).on('data', onOutput);
  const stderr = collectOutput(child.stderr, maxOutputBytes);
  child.stdin?.on('error', ignore);
  if (input instanceof Promise) void input.then((text) => child.stdin?.end(text));
  else child.stdin?.end(input);
  const end = groupEnder(child, killAfterMs);
  let timedOut = false;
  let durationMs = 0;
  child.once('exit', () => {
    durationMs = systemClock.now() - startedAt;
    end();
  });
  return {
    end,
    timeOut: () => {
      timedOut = child.exitCode === null && child.signalCode === null;
      end();
    },
    result: once(child, 'close').then(() => ({
      exitCode: child.exitCode,
      signal: child.signalCode,
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated || stderr.truncated,
      durationMs,
      timedOut,
    })),
  };
}

function once(child: ChildProcess, event: 'spawn' | 'close'): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once(event, () => resolve());
    child.on('error', reject);
  });
}

/** Time for written output to arrive if another process keeps the stream open, in milliseconds. */
const drainMs = 200;

/** Returns a function that ends the group: SIGTERM, later SIGKILL, and closes streams kept open. */
function groupEnder(child: ChildProcess, killAfterMs: number): () => void {
  let closed = false;
  let asked = false;
  const closeStreams = (): void => {
    if (closed) return;
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  child.once('close', () => {
    closed = true;
  });
  return () => {
    if (asked) return;
    asked = true;
    const alive = signalGroup(child, 'SIGTERM');
    if (!alive && closed) return;
    const cancel = systemClock.after(killAfterMs, () => {
      signalGroup(child, 'SIGKILL');
      if (!closed) systemClock.after(drainMs, closeStreams);
    });
    child.once('close', () => {
      if (!signalGroup(child, 0)) cancel();
    });
  };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    return false;
  }
}

async function startError(
  { command, cwd }: ProcessOptions,
  error: unknown,
): Promise<ReviewLoopError> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (cwd !== undefined && !(await isFolder(cwd)))
    return new ReviewLoopError(
      'invalid_options',
      `expected \`cwd\` to be an existing folder, got ${cwd}`,
      { cause: error, value: cwd },
    );
  if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR')
    return new ReviewLoopError(
      nodeErrors.process_not_found,
      `${command} ${code === 'EACCES' ? 'cannot be executed' : 'was not found'}`,
      { cause: error, value: command },
    );
  if (code === 'ERR_INVALID_ARG_VALUE' || code === 'ERR_INVALID_ARG_TYPE')
    return new ReviewLoopError('invalid_options', messageOf(error), { cause: error });
  return new ReviewLoopError(
    nodeErrors.process_failed,
    `${command} could not be started: ${messageOf(error)}`,
    { cause: error, retryable: code === 'EAGAIN' },
  );
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function cancelled(
  { command }: ProcessOptions,
  signal: AbortSignal,
  value: ProcessResult | undefined,
): unknown {
  if (isReviewError(signal.reason)) return signal.reason;
  return new ReviewLoopError('cancelled', `${command} was ended: ${messageOf(signal.reason)}`, {
    cause: signal.reason,
    value,
  });
}

function ignore(): void {}
