import { ReviewLoopError } from '../kernel/errors.js';
import type { LLMProvider } from '../kernel/llm-provider.js';
import { findProvider, keyVariables, providerFrom } from '../providers/provider-from.js';
import type { Io } from './io.js';
import type { ProviderChoice } from './review-settings.js';

/**
 * The provider that the options name. Without them nobody is asked: a key in the environment is told of, not used.
 *
 * @throws ReviewLoopError `usage`, `invalid_options`, `provider_missing`
 */
export async function chooseProvider(io: Pick<Io, 'err'>, choice: ProviderChoice | undefined, quiet: boolean): Promise<LLMProvider | undefined> {
  if (choice === undefined) {
    const set = Object.keys(keyVariables).filter((name) => (process.env[name] ?? '') !== '');
    if (set.length > 0 && !quiet) io.err(`${set.join(' and ')} is set and not used; name a model with --provider to ask one\n`);
    return undefined;
  }
  const { name, model, baseUrl } = choice;
  if (name !== 'auto') return providerFrom(model === undefined ? name : `${name}:${model}`, baseUrl === undefined ? {} : { baseUrl });
  if (model === undefined) throw new ReviewLoopError('usage', '--provider auto needs --model');
  if (baseUrl !== undefined) throw new ReviewLoopError('usage', '--base-url needs a provider that is named');
  const { provider, because } = await findProvider({ model });
  io.err(`provider: ${provider.id} (${because})\n`);
  return provider;
}
