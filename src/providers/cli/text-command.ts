import { checkKeys, invalid } from '../../core/options.js';
import { checkText } from '../shared/http-options.js';
import { objectOf, systemOf, unsupported } from '../shared/structured-output.js';
import { type CliCommand, promptOf } from './cli-command.js';
import { failedCommand } from './command-errors.js';

/** A program that takes a prompt on standard input and prints the answer. */
export interface TextCommandOptions {
  readonly executable: string;
  /** @default none */
  readonly args?: readonly string[] | undefined;
  /** Names of the variables of the environment that it may see. @default none beside PATH, HOME and the language */
  readonly allowEnv?: readonly string[] | undefined;
  /** @default the executable */
  readonly name?: string | undefined;
}

/**
 * Any program that takes a prompt on standard input and prints its answer as text.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const provider = cliProvider({ command: textCommand({ executable: 'llm', args: ['-m', 'local'] }) });
 * ```
 */
export function textCommand(options: TextCommandOptions): CliCommand {
  checkKeys('textCommand', options, ['executable', 'args', 'allowEnv', 'name']);
  checkText('executable', options.executable, true);
  const { executable, args = [], allowEnv = [], name = executable } = options;
  if (!Array.isArray(args)) throw invalid('args', 'a list of arguments', args);
  return {
    name,
    executable,
    capabilities: {
      structured: 'prompt',
      schemaSubset: 'full',
      streaming: false,
      reportsUsage: false,
      reportsCost: false,
    },
    allowEnv,
    plan: ({ request }) => {
      const system = systemOf(request, 'prompt');
      const prompt = promptOf(request);
      return {
        args,
        input: system === undefined || system === '' ? prompt : `${system}\n\n${prompt}`,
        warnings: unsupported(request, [
          'maxOutputTokens',
          'temperature',
          'seed',
          'providerOptions',
        ]),
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
