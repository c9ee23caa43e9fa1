import {
  checkTable,
  filled,
  list,
  type OptionTable,
  required,
  text,
} from '../../../core/options.js';
import {
  objectOf,
  programLacks,
  systemOf,
  toldUsage,
  unsupported,
} from '../shared/service-client.js';
import { type CliCommand, failedCommand, promptOf } from './cli-command.js';

export interface TextCommandOptions {
  /** A program on the PATH, or its full path. */
  readonly executable: string;
  /** Arguments of the program. @default [] */
  readonly args?: readonly string[] | undefined;
  /**
   * Names of environment variables that it may see, besides PATH, HOME and the language.
   *
   * @default []
   */
  readonly allowEnv?: readonly string[] | undefined;
  /** The name of the program, for the id of the provider. @default the executable */
  readonly name?: string | undefined;
}

const table: OptionTable<TextCommandOptions> = {
  ...{ executable: required(filled()), args: list, allowEnv: list, name: text },
};

/**
 * Creates the command for a program that reads a prompt on standard input and prints its answer.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const command = textCommand({ executable: 'llm', args: ['-m', 'local'] });
 * const provider = cliProvider({ command });
 * ```
 */
export function textCommand(options: TextCommandOptions): CliCommand {
  checkTable('textCommand', table, options);
  const { executable, args = [], allowEnv = [], name = executable } = options;
  return {
    name,
    executable,
    capabilities: { ...toldUsage, structured: 'prompt', schemaSubset: 'full', reportsUsage: false },
    allowEnv,
    plan: ({ request }) => {
      const system = systemOf(request, 'prompt');
      const prompt = promptOf(request);
      return {
        args,
        input: system === undefined ? prompt : `${system}\n\n${prompt}`,
        warnings: unsupported(request, programLacks),
      };
    },
    read: async (output, { request }) => {
      if (output.exitCode !== 0) throw failedCommand(output);
      return {
        text: output.stdout,
        ...objectOf(request, output.stdout),
        finish: 'stop',
        usage: {},
      };
    },
  };
}
