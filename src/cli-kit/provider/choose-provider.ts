import type { Config } from '../../config/config.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { withRateLimit } from '../../model/middleware/with-rate-limit.js';
import { withRetry } from '../../model/middleware/with-retry.js';
import { withTimeout } from '../../model/middleware/with-timeout.js';
import { nodeErrors } from '../../node/errors.js';
import { findProvider, keyVariables, providerFrom } from '../../providers/provider-from.js';
import type { ProviderChoice } from '../inputs/review-settings.js';
import type { Io } from '../io.js';

/** How long one call may take, and how many may start in a minute. */
const callMs = 120_000;
const callsPerMinute = 120;

/** The choice of the options, else that of the configuration. */
export function providerChoice(
  option: ProviderChoice | undefined,
  { provider, model, baseUrl }: Config,
): ProviderChoice | LLMProvider | undefined {
  if (option !== undefined) return option;
  if (typeof provider !== 'string') return provider;
  return {
    name: provider,
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
}

/**
 * The provider that was chosen, made patient: calls that fail for a reason that may pass are tried again, none takes for ever, and
 * they come at a bounded rate. Without a choice nobody is asked: a key in the environment is told of, not used.
 *
 * @throws ReviewLoopError `usage`, `invalid_options`, `provider_missing`
 */
export async function chooseProvider(
  io: Pick<Io, 'err'>,
  choice: ProviderChoice | LLMProvider | undefined,
  quiet: boolean,
): Promise<LLMProvider | undefined> {
  if (choice === undefined) {
    const set = Object.keys(keyVariables).filter((name) => (process.env[name] ?? '') !== '');
    if (set.length > 0 && !quiet)
      io.err(`${set.join(' and ')} is set and not used; name a model with --provider to ask one\n`);
    return undefined;
  }
  return patient('generate' in choice ? choice : await named(io, choice));
}

function patient(provider: LLMProvider): LLMProvider {
  return withRetry(
    withRateLimit(withTimeout(provider, callMs), { requestsPerMinute: callsPerMinute }),
  );
}

async function named(
  io: Pick<Io, 'err'>,
  { name, model, baseUrl }: ProviderChoice,
): Promise<LLMProvider> {
  if (name !== 'auto')
    return providerFrom(
      model === undefined ? name : `${name}:${model}`,
      baseUrl === undefined ? {} : { baseUrl },
    );
  if (model === undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--provider auto needs --model');
  if (baseUrl !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--base-url needs a provider that is named');
  const { provider, because } = await findProvider({ model });
  io.err(`provider: ${provider.id} (${because})\n`);
  return provider;
}
