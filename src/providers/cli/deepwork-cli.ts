import type { LLMProvider } from '../../core/llm-provider.js';
import { type CliOptions, cliProvider } from './cli-provider.js';
import { type DeepworkOptions, deepworkCommand } from './deepwork-command.js';

/** How DeepWork's reviewer is called. */
export interface DeepworkCliOptions
  extends Omit<CliOptions, 'command' | 'timeoutMs' | 'model'>,
    DeepworkOptions {
  /** The program. @default 'claude' on the PATH */
  readonly executable?: string | undefined;
}

/**
 * DeepWork's call of `claude`, with the time that each review may take: the `cli` of a `QualityGate`.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const gate = new QualityGate({ cli: deepworkCli({ cwd: root }), root });
 * ```
 */
export function deepworkCli({
  executable,
  testCommand,
  ...options
}: DeepworkCliOptions = {}): (timeoutMs: number) => LLMProvider {
  const base = deepworkCommand({ testCommand });
  const command = executable === undefined ? base : { ...base, executable };
  const runner = (timeoutMs: number): LLMProvider =>
    cliProvider({ ...options, command, timeoutMs });
  runner(1000);
  return runner;
}
