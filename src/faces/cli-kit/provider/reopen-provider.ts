import type { LLMProvider } from '../../../core/llm-provider.js';
import type { ConfiguredLimits } from '../../config/config-parts.js';
import type { StoreHandle } from '../store-handle.js';
import type { ProviderChoice } from './provider-choice.js';

/**
 * Returns the provider of an earlier command. It may be unavailable now: replaying a run does not
 * ask it. A run that asked no model loads none.
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
