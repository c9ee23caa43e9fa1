import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';

/** The model that flags or a configuration name. */
export interface ProviderChoice {
  readonly name: string;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** The settings of `providerFlags`. */
export interface ProviderSettings {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
}

/**
 * The model that the flags name; `undefined` if they name none.
 *
 * @throws ReviewLoopError `usage`
 */
export function providerChoice({
  provider: name,
  model,
  baseUrl,
}: ProviderSettings): ProviderChoice | undefined {
  if (name !== undefined)
    return {
      name,
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
    };
  if (model !== undefined || baseUrl !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--model and --base-url require --provider');
  return undefined;
}
