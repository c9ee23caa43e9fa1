import type { Finding } from '../../core/criterion.js';
import { type GapCategory, GapCategorySchema } from '../../core/gap.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../../core/options.js';
import { GapSeveritySchema, type Severity } from '../../core/severity.js';

/** The output of a finished command. */
export interface CommandOutput {
  /** The exit code of the process. */
  readonly exitCode: number;
  /** Without escape sequences. */
  readonly stdout: string;
  readonly stderr: string;
  /** The file that `report` names, if the command wrote it. */
  readonly report?: string | undefined;
  /** Whether stdout or stderr was shortened. */
  readonly truncated: boolean;
}

/** The formats of findings. */
export type CommandFormat = 'auto' | 'sarif' | 'eslint' | 'junit' | 'tap' | 'lines' | 'none';

/** A command and the meaning of its result. */
export interface CommandOptions<Output = unknown> {
  /**
   * A program with its arguments, started without a shell, or a line for the shell. No text of an
   * output becomes part of it.
   */
  readonly run: string | readonly string[];
  /** The id of the criterion; unique in a pipeline. */
  readonly id: string;
  /** The name in descriptions of gaps. @default the id */
  readonly name?: string | undefined;
  /** What the criterion demands. @default the command line, followed by 'passes' */
  readonly description?: string | undefined;
  /** The severity of errors; warnings are minor. @default 'major' */
  readonly severity?: Severity | undefined;
  /** The category of its gaps. @default 'incorrect' */
  readonly category?: GapCategory | undefined;
  /**
   * The folder to run in, such as a workspace; the library writes nothing there.
   *
   * @default a temporary folder with the files of the output
   */
  readonly cwd?: string | undefined;
  /** Returns the files of the temporary folder by path. @default the artifacts of the output */
  readonly files?: ((output: Output) => Readonly<Record<string, string>>) | undefined;
  /** Further variables besides PATH, HOME, LANG, LC_*, TERM and TMPDIR. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of further variables of this process that the command may see. @default [] */
  readonly allowEnv?: readonly string[] | undefined;
  /**
   * Timeout in milliseconds; it kills the whole process group, and the criterion is errored.
   *
   * @default 120000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The format of findings, or a function that returns them.
   *
   * @default 'auto' the format is recognised
   */
  readonly parse?: CommandFormat | ((output: CommandOutput) => readonly Finding[]) | undefined;
  /** Path of a report below the working folder; its text replaces stdout. */
  readonly report?: string | undefined;
  /** Exit codes that pass. @default [0] */
  readonly passExitCodes?: readonly number[] | undefined;
  /**
   * The greatest number of bytes of each stream, from 2; half from its start, half from its end.
   *
   * @default 1048576
   */
  readonly maxOutputBytes?: number | undefined;
  /** When the command runs: `code` first, then `model`, then `confirm`. @default 'code' */
  readonly tier?: 'code' | 'model' | 'confirm' | undefined;
}

const keys = [
  ...['run', 'id', 'name', 'description', 'severity', 'category', 'cwd', 'files', 'env'],
  ...['allowEnv', 'timeoutMs', 'parse', 'report', 'passExitCodes', 'maxOutputBytes', 'tier'],
];
const formats: readonly string[] = ['auto', 'sarif', 'eslint', 'junit', 'tap', 'lines', 'none'];

/** @throws ReviewLoopError `invalid_options` */
export function checkCommandOptions(options: CommandOptions<never>): void {
  checkKeys('command', options, keys);
  const wrong = rules.find(({ name, holds }) => !holds(options[name], options));
  if (wrong !== undefined) throw invalid(wrong.name, wrong.expected, options[wrong.name]);
  checkPositive('timeoutMs', options.timeoutMs);
  if (options.maxOutputBytes !== undefined) checkWhole('maxOutputBytes', options.maxOutputBytes, 2);
}

interface OptionRule {
  readonly name: keyof CommandOptions;
  readonly expected: string;
  readonly holds: (value: unknown, options: CommandOptions<never>) => boolean;
}

const rules: readonly OptionRule[] = [
  { name: 'id', expected: 'a non-empty string', holds: isText },
  { name: 'run', expected: 'a non-empty string or a non-empty list of strings', holds: isCommand },
  { name: 'cwd', expected: 'a folder', holds: (cwd) => cwd === undefined || isText(cwd) },
  {
    name: 'files',
    expected: 'a function',
    holds: (files) => files === undefined || typeof files === 'function',
  },
  {
    name: 'files',
    expected: 'left out with a `cwd`: nothing is written into a workspace',
    holds: (files, { cwd }) => files === undefined || cwd === undefined,
  },
  {
    name: 'parse',
    expected: `one of ${formats.join(', ')}, or a function`,
    holds: (parse) =>
      parse === undefined ||
      typeof parse === 'function' ||
      formats.some((format) => format === parse),
  },
  {
    name: 'passExitCodes',
    expected: 'a list of whole numbers',
    holds: (codes) =>
      codes === undefined ||
      (Array.isArray(codes) && codes.length > 0 && codes.every(Number.isInteger)),
  },
  {
    name: 'report',
    expected: 'a path below the folder of the command',
    holds: (report) =>
      report === undefined ||
      (isText(report) && !/(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]/.test(String(report))),
  },
  {
    name: 'severity',
    expected: 'critical, major or minor',
    holds: (severity) => severity === undefined || GapSeveritySchema.safeParse(severity).success,
  },
  {
    name: 'category',
    expected: GapCategorySchema.options.join(', '),
    holds: (category) => category === undefined || GapCategorySchema.safeParse(category).success,
  },
];

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isCommand(run: unknown): boolean {
  if (typeof run === 'string') return run.trim() !== '';
  return (
    Array.isArray(run) &&
    typeof run[0] === 'string' &&
    run[0] !== '' &&
    run.every((part) => typeof part === 'string')
  );
}
