import type { Config } from '../../config/config.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { withRateLimit } from '../../model/middleware/with-rate-limit.js';
import { withRetry } from '../../model/middleware/with-retry.js';
import { withTimeout } from '../../model/middleware/with-timeout.js';
import { nodeErrors } from '../../node/errors.js';
import { findProvider, keyVariables, providerFrom } from '../../providers/provider-from.js';
import type { Io } from '../io.js';
import { type ProviderChoice, type ProviderSettings, providerChoice } from './provider-choice.js';

/** Timeout of one call in milliseconds, and the rate limit. */
const callMs = 120_000;
const callsPerMinute = 120;

/** Returns the model of the flags, else that of the configuration. */
export function providerFor(
  settings: ProviderSettings,
  config: Config,
): ProviderChoice | LLMProvider | undefined {
  return providerChoice(settings) ?? configuredProvider(config);
}

/** Returns the model of the configuration. */
export function configuredProvider({
  provider,
  model,
  baseUrl,
}: Config): ProviderChoice | LLMProvider | undefined {
  if (typeof provider !== 'string') return provider;
  return {
    name: provider,
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
}

/**
 * Returns the chosen provider with retries, a timeout and a rate limit. Without a choice, it
 * returns undefined; an API key in the environment is reported, never used.
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
      io.err(`${set.join(' and ')} is set but not used; pass --provider to ask a model\n`);
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
    throw new ReviewLoopError(nodeErrors.usage, '--provider auto requires --model');
  if (baseUrl !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--base-url requires a named provider, not auto');
  const { provider, because } = await findProvider({ model });
  io.err(`provider: ${provider.id} (${because})\n`);
  return provider;
}

/**
 * Checks that a provider is set if some blocks ask a model.
 *
 * @throws ReviewLoopError `provider_missing`
 */
export function requireProvider(
  provider: LLMProvider | undefined,
  asking: readonly { readonly id: string }[],
): void {
  if (provider !== undefined || asking.length === 0) return;
  const ids = asking.map(({ id }) => id).join(', ');
  throw new ReviewLoopError(
    'provider_missing',
    `${ids} ${asking.length === 1 ? 'asks' : 'ask'} a model: ` +
      'pass --provider ollama:MODEL, or set `provider` in the configuration',
  );
}
