import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';

/** The provider and model from flags or from the configuration. */
export interface ProviderChoice {
  readonly name: string;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The names of environment variables for a program, besides those of its vendor. */
  readonly env?: readonly string[] | undefined;
}

/** The settings of `providerFlags`. */
export interface ProviderSettings {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly providerEnv?: readonly string[] | undefined;
}

/**
 * Returns the provider of the flags; `undefined` without --provider.
 *
 * @throws ReviewLoopError `usage`
 */
export function providerChoice({
  provider: name,
  model,
  baseUrl,
  providerEnv = [],
}: ProviderSettings): ProviderChoice | undefined {
  if (name !== undefined)
    return {
      name,
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(providerEnv.length > 0 && { env: providerEnv }),
    };
  if (model !== undefined || baseUrl !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--model and --base-url require --provider');
  if (providerEnv.length > 0)
    throw new ReviewLoopError(nodeErrors.usage, '--provider-env requires --provider');
  return undefined;
}
