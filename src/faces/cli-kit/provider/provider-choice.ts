import { ReviewLoopError } from '../../../core/errors.js';
import { nodeErrors } from '../../../node/errors.js';

export interface ProviderChoice {
  readonly name: string;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly contextTokens?: number | undefined;
}

export interface ProviderSettings {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly providerEnv?: readonly string[] | undefined;
  readonly contextTokens?: number | undefined;
}

/** Returns the provider of the flags; `undefined` without --provider. */
export function providerChoice({
  provider: name,
  model,
  baseUrl,
  providerEnv = [],
  contextTokens,
}: ProviderSettings): ProviderChoice | undefined {
  if (name !== undefined)
    return {
      name,
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(providerEnv.length > 0 && { env: providerEnv }),
      ...(contextTokens !== undefined && { contextTokens }),
    };
  if (model !== undefined || baseUrl !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--model and --base-url require --provider');
  if (contextTokens !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--context-tokens requires --provider');
  if (providerEnv.length > 0)
    throw new ReviewLoopError(nodeErrors.usage, '--provider-env requires --provider');
  return undefined;
}
