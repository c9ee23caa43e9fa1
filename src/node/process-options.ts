import { checkWhole, invalid } from '../core/options.js';

/** Options of `runProcess`: a command and its limits. */
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

/**
 * Checks the options of `runProcess`.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkProcessOptions({
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

/** Returns whether a list names a variable. `AWS_*` names all with that beginning. */
export function isAllowed(name: string, allowEnv: readonly string[]): boolean {
  return allowEnv.some((one) =>
    one.endsWith('*') && one.length > 1 ? name.startsWith(one.slice(0, -1)) : one === name,
  );
}

/** Returns the environment of a command: few variables of this process, and its own. */
export function processEnvironment({ allowEnv = [], env = {} }: ProcessOptions): NodeJS.ProcessEnv {
  const allowed = Object.entries(process.env).filter(
    ([name]) => passedOn.includes(name) || name.startsWith('LC_') || isAllowed(name, allowEnv),
  );
  // node passes this variable on unless it is set
  return { NODE_V8_COVERAGE: undefined, ...Object.fromEntries(allowed), ...env };
}
