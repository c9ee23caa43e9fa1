import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import type { Config } from '../../config/config.js';
import { usageError } from '../errors.js';

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
    throw usageError('--model and --base-url require --provider');
  if (contextTokens !== undefined) throw usageError('--context-tokens requires --provider');
  if (providerEnv.length > 0) throw usageError('--provider-env requires --provider');
  return undefined;
}

export function providerFor(
  settings: ProviderSettings,
  config: Config,
): ProviderChoice | LLMProvider | undefined {
  return providerChoice(settings) ?? configuredProvider(config);
}

export function configuredProvider({
  provider,
  model,
  baseUrl,
  contextTokens,
}: Config): ProviderChoice | LLMProvider | undefined {
  if (typeof provider !== 'string') return provider;
  return {
    name: provider,
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(contextTokens !== undefined && { contextTokens }),
  };
}

/** Checks that a provider is set if some blocks ask a model. */
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
