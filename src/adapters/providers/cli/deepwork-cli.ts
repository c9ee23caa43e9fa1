import type { LLMProvider } from '../../../core/llm-provider.js';
import { checkKeys, checkPlain, invalid } from '../../../core/options.js';
import { programLacks, toldUsage, unsupported } from '../shared/service-client.js';
import { readClaude } from './claude-command.js';
import { type CliCommand, claudeVariables, promptOf } from './cli-command.js';
import { type CliOptions, cliProvider } from './cli-provider.js';

export interface DeepworkCliOptions
  extends Omit<CliOptions, 'command' | 'timeoutMs' | 'model'>,
    DeepworkOptions {
  /** A program on the PATH, or its full path. @default 'claude' */
  readonly executable?: string | undefined;
}

/**
 * Returns the `cli` of a `QualityGate`: a function from a timeout in milliseconds, and the folder to
 * work in, to a provider that calls `claude` as DeepWork does.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const gate = new QualityGate({ cli: deepworkCli(), root });
 * ```
 */
export function deepworkCli(
  given: DeepworkCliOptions = {},
): (timeoutMs: number, folder?: string) => LLMProvider {
  checkPlain('deepworkCli', given);
  const { executable, testCommand, ...options } = given;
  const base = deepworkCommand({ testCommand });
  const command = executable === undefined ? base : { ...base, executable };
  const runner = (timeoutMs: number, cwd = options.cwd): LLMProvider =>
    cliProvider({ ...options, cwd, command, timeoutMs });
  runner(1000);
  return runner;
}

interface DeepworkOptions {
  /**
   * A program with its first arguments that replaces `claude` in tests. It receives no schema.
   *
   * @default none
   */
  readonly testCommand?: readonly [string, ...string[]] | undefined;
}

/**
 * Creates the command for `claude` with the prompt on standard input and exactly the arguments of
 * DeepWork. These are `--print --output-format json --system-prompt S --json-schema J -p --`. Tools
 * and settings are those of the user. Set `cwd` of the provider to the folder of the project.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const command = deepworkCommand();
 * const provider = cliProvider({ command, cwd: process.cwd(), timeoutMs: 240_000 });
 * ```
 */
export function deepworkCommand(options: DeepworkOptions = {}): CliCommand {
  checkKeys('deepworkCommand', options, ['testCommand']);
  const { testCommand } = options;
  if (testCommand !== undefined && (!Array.isArray(testCommand) || testCommand.length === 0))
    throw invalid('testCommand', 'a program and its arguments', testCommand);
  const [executable = 'claude', ...before] = testCommand ?? [];
  return {
    name: 'deepwork',
    executable,
    capabilities: { ...toldUsage, structured: 'tool', schemaSubset: 'full', reportsCost: true },
    allowEnv: claudeVariables,
    plan: ({ request }) => {
      const system = ['--system-prompt', request.system ?? ''];
      const schema =
        request.schema === undefined ? [] : ['--json-schema', JSON.stringify(request.schema)];
      return {
        args:
          testCommand === undefined
            ? ['--print', '--output-format', 'json', ...system, ...schema, '-p', '--']
            : [...before, ...system],
        input: promptOf(request),
        env: { CLAUDE_CODE_MAX_RETRIES: '0' },
        warnings: unsupported(request, programLacks),
      };
    },
    read: readClaude,
  };
}
