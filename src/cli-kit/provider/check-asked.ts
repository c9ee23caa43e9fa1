import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';

/** @throws ReviewLoopError `provider_missing` where there is something to ask and nobody to be asked */
export function checkAsked(
  provider: LLMProvider | undefined,
  asking: readonly { readonly id: string }[],
): void {
  if (provider !== undefined || asking.length === 0) return;
  const ids = asking.map(({ id }) => id).join(', ');
  throw new ReviewLoopError(
    'provider_missing',
    `${ids} ${asking.length === 1 ? 'asks' : 'ask'} a model: name one by --provider ollama:MODEL, or by \`provider\` in the configuration`,
  );
}
