import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import type { Config } from '../../config/config.js';
import type { ConfiguredLimits } from '../../config/config-parts.js';
import { usageError } from '../errors.js';
import { flagName } from '../flags/flag.js';
import type { StoreHandle } from '../store-handle.js';
import type { ProviderChoice, ProviderDetails } from './choose-provider.js';

export interface ProviderSettings extends ProviderDetails {
  readonly provider: string | undefined;
  readonly providerEnv?: readonly string[] | undefined;
}

export const withoutModel = {
  ...{ provider: undefined, model: undefined, baseUrl: undefined, contextTokens: undefined },
  ...{ structured: undefined, providerEnv: [] },
};

function detailsOf({
  model,
  baseUrl,
  contextTokens,
  structured,
}: ProviderDetails): ProviderDetails {
  return {
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(structured !== undefined && { structured }),
  };
}

export function providerChoice(settings: ProviderSettings): ProviderChoice | undefined {
  const { provider: name, providerEnv: env = [] } = settings;
  const details = { ...detailsOf(settings), ...(env.length > 0 && { env }) };
  if (name !== undefined) return { name, ...details };
  const [first] = Object.keys(details);
  if (first === undefined) return undefined;
  throw usageError(`${flagName(first === 'env' ? 'providerEnv' : first)} requires --provider`);
}

export function providerFor(
  settings: ProviderSettings,
  config: Config,
): ProviderChoice | LLMProvider | undefined {
  return providerChoice(settings) ?? configuredProvider(config);
}

export function configuredProvider(config: Config): ProviderChoice | LLMProvider | undefined {
  const { provider } = config;
  return typeof provider === 'string' ? { name: provider, ...detailsOf(config) } : provider;
}

/**
 * It may be unavailable now: replaying a run does not ask it. A run that asked no model loads none.
 *
 * @param shared - The limits of the store, if it can share them.
 */
export async function reopenProvider(
  choice: ProviderChoice | LLMProvider | undefined,
  limits?: ConfiguredLimits,
  shared?: StoreHandle['limits'],
): Promise<LLMProvider | undefined> {
  if (choice === undefined) return undefined;
  const { patientProvider, providerLimits } = await import('./choose-provider.js');
  return patientProvider(choice, providerLimits(limits, shared));
}

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
