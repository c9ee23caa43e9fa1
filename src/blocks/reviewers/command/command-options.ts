import type { Finding } from '../../../core/criterion.js';
import {
  type GapCategory,
  GapCategorySchema,
  GapSeveritySchema,
  type Severity,
} from '../../../core/gap.js';
import {
  call,
  checkPositive,
  checkTable,
  elsewhere,
  filled,
  fits,
  invalid,
  list,
  type OptionTable,
  oneOf,
  required,
  text,
  whole,
} from '../../../core/options.js';
import { tiers } from '../../../core/reviewer.js';

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

const formats: readonly unknown[] = ['auto', 'sarif', 'eslint', 'junit', 'tap', 'lines', 'none'];

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const table: OptionTable<CommandOptions<never>> = {
  id: required(filled('a non-empty string')),
  run: required(fits('a non-empty string or a non-empty list of strings', isCommand)),
  ...{ name: text, description: text, cwd: filled('a folder'), files: call },
  parse: fits(
    `one of ${formats.join(', ')}, or a function`,
    (parse) => typeof parse === 'function' || formats.includes(parse),
  ),
  passExitCodes: fits(
    'a list of whole numbers',
    (codes) => Array.isArray(codes) && codes.length > 0 && codes.every(Number.isInteger),
  ),
  report: fits(
    'a path below the folder of the command',
    (path) => isText(path) && !/(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]/.test(String(path)),
  ),
  severity: fits(
    'critical, major or minor',
    (severity) => GapSeveritySchema.safeParse(severity).success,
  ),
  category: (name, value) => {
    if (!GapCategorySchema.safeParse(value).success)
      throw invalid(name, GapCategorySchema.options.join(', '), value);
  },
  tier: oneOf(...tiers),
  ...{ env: elsewhere(), allowEnv: list, timeoutMs: checkPositive, maxOutputBytes: whole(2) },
};

export function checkCommandOptions(options: CommandOptions<never>): void {
  checkTable('command', table, options);
  if (options.files !== undefined && options.cwd !== undefined)
    throw invalid(
      'files',
      'left out with a `cwd`: nothing is written into a workspace',
      options.files,
    );
}

function isCommand(run: unknown): boolean {
  if (!Array.isArray(run)) return isText(run);
  return isText(run[0]) && run.every((part) => typeof part === 'string');
}
