import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import { onAbort } from '../core/on-abort.js';
import { checkWhole, invalid } from '../core/options.js';
import { systemClock } from '../ports/clock.js';
import { nodeErrors } from './errors.js';
import { keepOutput } from './keep-output.js';

/** A command and its bounds. */
export interface ProcessOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Written to standard input, which is then closed. @default nothing to read */
  readonly input?: string | Uint8Array | undefined;
  /** @default the folder of this process */
  readonly cwd?: string | undefined;
  /** Variables that the command gets beside the allowed ones. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of further variables of this process that the command may see. @default none */
  readonly allowEnv?: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** Ends the command when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** How many bytes of each stream are kept, half from its beginning and half from its end. @default 1 MiB */
  readonly maxOutputBytes?: number | undefined;
  /** Gets the standard output as it comes; none of it is kept then. @default it is kept */
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined;
  /** How long the command may take to end by itself before it is killed. @default 2000 */
  readonly killAfterMs?: number | undefined;
}

/** How a command ended. A non-zero exit is no error. */
export interface ProcessResult {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether something is left out of stdout or stderr. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Only true in the `value` of a `process_timeout` error. */
  readonly timedOut: boolean;
}

/**
 * Runs a command without a shell, in a process group of its own. The group ends with the command: on a timeout, on an
 * abort, and when the command leaves something behind it is asked to end, and killed when it does not.
 *
 * @throws ReviewLoopError `process_not_found`; `process_timeout` and `cancelled`, with the result so far in `value`;
 * `process_failed` when the system refuses to start it; `invalid_options`.
 * @example
 * ```ts
 * const { exitCode, stdout } = await runProcess({ command: 'git', args: ['diff', '--stat'], timeoutMs: 10_000 });
 * ```
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  checkOptions(options);
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
        `${options.command} did not end within ${timeoutMs} ms`,
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
      env: environment(options),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    await once(child, 'spawn');
  } catch (error) {
    throw await startError(options, error);
  }
  const stdout = keepOutput(onOutput === undefined ? child.stdout : null, maxOutputBytes);
  if (onOutput !== undefined) child.stdout?.on('error', ignore).on('data', onOutput);
  const stderr = keepOutput(child.stderr, maxOutputBytes);
  child.stdin?.on('error', ignore).end(input);
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

/** How long output that is already written may take to arrive when something outside the group holds the stream open. */
const drainMs = 200;

/** Asks the whole group to end; later kills what is left, and lets go of streams that something outside the group holds. */
function groupEnder(child: ChildProcess, killAfterMs: number): () => void {
  let closed = false;
  let asked = false;
  const letGo = (): void => {
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
      if (!closed) systemClock.after(drainMs, letGo);
    });
    child.once('close', () => {
      if (!signalGroup(child, 0)) cancel();
    });
  };
}

/** Whether there was anything to signal. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    return false;
  }
}

const passedOn: readonly string[] = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR'];

function environment({ allowEnv = [], env = {} }: ProcessOptions): NodeJS.ProcessEnv {
  const allowed = Object.entries(process.env).filter(
    ([name]) => passedOn.includes(name) || name.startsWith('LC_') || allowEnv.includes(name),
  );
  // Node hands this one on by itself unless it is named.
  return { NODE_V8_COVERAGE: undefined, ...Object.fromEntries(allowed), ...env };
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

function checkOptions({
  command,
  timeoutMs,
  killAfterMs = 2000,
  maxOutputBytes = 2 ** 20,
}: ProcessOptions): void {
  if (typeof command !== 'string' || command === '')
    throw invalid('command', 'a text that is not empty', command);
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0))
    throw invalid('timeoutMs', 'a number above 0', timeoutMs);
  if (typeof killAfterMs !== 'number' || !(killAfterMs >= 0))
    throw invalid('killAfterMs', 'a number from 0', killAfterMs);
  checkWhole('maxOutputBytes', maxOutputBytes, 2);
}

function ignore(): void {}
