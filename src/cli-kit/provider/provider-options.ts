import type { Command } from 'commander';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import type { ProviderChoice } from '../inputs/review-settings.js';

/** What commander makes of the options that name a model. */
export interface ProviderFlags {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
}

/**
 * Adds `--provider`, `--model` and `--base-url`.
 *
 * @param what - What the model is there for.
 * @param more - What else there is to know of it.
 */
export function withProviderOptions(command: Command, what: string, more = ''): Command {
  return command
    .option(
      '--provider <name>',
      `${what}, as openai:MODEL, anthropic:MODEL, ollama:MODEL, cli:claude or cli:codex; auto chooses by the keys that are set${more}`,
    )
    .option('--model <name>', 'the model, where --provider names none')
    .option('--base-url <url>', 'another service of the same protocol');
}

/**
 * The model that the options name; none where they name none.
 *
 * @throws ReviewLoopError `usage`
 */
export function providerOption({
  provider: name,
  model,
  baseUrl,
}: ProviderFlags): ProviderChoice | undefined {
  if (name !== undefined)
    return {
      name,
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
    };
  if (model !== undefined || baseUrl !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--model and --base-url need --provider');
  return undefined;
}
