import type { LLMProvider } from '../../core/llm-provider.js';
import { checkPlain } from '../../core/options.js';
import { type CliOptions, cliProvider } from './cli-provider.js';
import { type DeepworkOptions, deepworkCommand } from './deepwork-command.js';

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
