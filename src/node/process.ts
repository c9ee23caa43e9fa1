import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { onAbort } from '../core/abort-signal.js';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import { checkWhole, invalid } from '../core/options.js';
import { systemClock } from '../ports/clock.js';
import { nodeErrors } from './errors.js';

/** A non-zero exit code does not throw. */
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

/** A text is a line for the shell. */
export function programOf(run: string | readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const isWindows = process.platform === 'win32';
  const shell = isWindows ? ['cmd.exe', '/d', '/s', '/c'] : ['/bin/sh', '-c'];
  const [command = '', ...args] = typeof run === 'string' ? [...shell, run] : run;
  return { command, args };
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

/** SIGTERM, later SIGKILL; then closes streams kept open. */
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

export interface CollectedOutput {
  /** Start and end with a marker between them, never cut inside a UTF-8 character. */
  readonly text: () => string;
  readonly truncated: boolean;
}

/** Keeps the first and the last bytes, `limit` at most. */
function collectOutput(stream: Readable | null, limit: number): CollectedOutput {
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let dropped = 0;
  stream
    ?.on('error', () => {})
    .on('data', (chunk: Buffer) => {
      const room = Math.min(chunk.length, headLimit - headBytes);
      if (room > 0) head.push(chunk.subarray(0, room));
      headBytes += room;
      if (room === chunk.length) return;
      tail.push(chunk.subarray(room));
      tailBytes += chunk.length - room;
      for (
        let first = tail[0];
        first !== undefined && tailBytes - first.length >= tailLimit;
        first = tail[0]
      ) {
        tail.shift();
        tailBytes -= first.length;
        dropped += first.length;
      }
    });
  return {
    get truncated() {
      return dropped + tailBytes > tailLimit;
    },
    text: () => {
      if (dropped + tailBytes <= tailLimit)
        return Buffer.concat([...head, ...tail]).toString('utf8');
      const start = wholeEnd(Buffer.concat(head));
      const end = wholeStart(Buffer.concat(tail).subarray(Math.max(0, tailBytes - tailLimit)));
      const missing = headBytes + tailBytes + dropped - start.length - end.length;
      return `${start.toString('utf8')}\n[... ${missing} bytes left out ...]\n${end.toString('utf8')}`;
    },
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

function wholeEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead >= 0 && lead + needed > bytes.length ? bytes.subarray(0, lead) : bytes;
}

function wholeStart(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && isContinuation(bytes[from])) from += 1;
  return bytes.subarray(from);
}

export interface ProcessOptions {
  /** Name or path of the program; no shell reads it. */
  readonly command: string;
  /** Arguments of the program. @default [] */
  readonly args?: readonly string[] | undefined;
  /** Text for standard input, which is then closed, also if it comes later. @default no input */
  readonly input?: string | Uint8Array | Promise<string> | undefined;
  /** Working directory. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** Environment variables besides the allowed ones. @default {} */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Names of further environment variables of this process to pass on. `AWS_*` stands for all with
   * that beginning.
   *
   * @default []
   */
  readonly allowEnv?: readonly string[] | undefined;
  /** Time limit in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the command if it is aborted. @default none */
  readonly signal?: AbortSignal | undefined;
  /**
   * Bytes to keep of each stream, from 2: half from its start, half from its end.
   *
   * @default 1048576
   */
  readonly maxOutputBytes?: number | undefined;
  /** Receives standard output as it arrives; the result then contains none. @default none */
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined;
  /** Milliseconds between SIGTERM and SIGKILL. @default 2000 */
  readonly killAfterMs?: number | undefined;
}

function checkProcessOptions({
  command,
  timeoutMs,
  killAfterMs = 2000,
  maxOutputBytes = 2 ** 20,
}: ProcessOptions): void {
  if (typeof command !== 'string' || command === '')
    throw invalid('command', 'a non-empty string', command);
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0))
    throw invalid('timeoutMs', 'a number above 0', timeoutMs);
  if (typeof killAfterMs !== 'number' || !(killAfterMs >= 0))
    throw invalid('killAfterMs', 'a number from 0', killAfterMs);
  checkWhole('maxOutputBytes', maxOutputBytes, 2);
}

/** Environment variables that every command may see. */
const passedOn: readonly string[] = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR'];

/** `AWS_*` names all variables with that beginning. */
export function isAllowed(name: string, allowEnv: readonly string[]): boolean {
  return allowEnv.some((one) =>
    one.endsWith('*') && one.length > 1 ? name.startsWith(one.slice(0, -1)) : one === name,
  );
}

function processEnvironment({ allowEnv = [], env = {} }: ProcessOptions): NodeJS.ProcessEnv {
  const allowed = Object.entries(process.env).filter(
    ([name]) => passedOn.includes(name) || name.startsWith('LC_') || isAllowed(name, allowEnv),
  );
  // node passes this variable on unless it is set
  return { NODE_V8_COVERAGE: undefined, ...Object.fromEntries(allowed), ...env };
}
